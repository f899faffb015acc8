/**
 * The shoot: one table, one window up on the left, one shadow down on the right. Every
 * picture uses these and nothing else, which is what makes a row of twelve one row.
 *
 * The shadow is the outline itself, drawn five times ever thinner. A blur filter would look
 * the same and cost a phone a full-size buffer per card.
 */

export const WIDTH = 400;
export const HEIGHT = 500;

/** Warm light and brown dusk; the last two digits of each stop are how much of it. */
const SUN = '#fffaf0';
const DUSK = '#1d1209';

const stop = (at: string, colour: string): string =>
  `<stop offset="${at}" stop-color="${colour}"/>`;

/** How light falls on a piece: `body` across a front, `tube` round a sleeve or a leg. */
export const LIGHTS = {
  body:
    `<linearGradient id="body" y2=".45">` +
    `${stop('0', `${SUN}29`)}${stop('.38', `${SUN}08`)}${stop('.62', `${DUSK}08`)}${stop('1', `${DUSK}3d`)}</linearGradient>`,
  tube:
    `<linearGradient id="tube" y2=".12">` +
    `${stop('0', `${DUSK}1a`)}${stop('.3', `${SUN}26`)}${stop('.58', `${DUSK}0a`)}${stop('1', `${DUSK}4d`)}</linearGradient>`,
  shade: `<linearGradient id="shade" x2="0" y2="1">${stop('0', `${DUSK}57`)}${stop('1', `${DUSK}0f`)}</linearGradient>`,
} as const;

export type Light = keyof typeof LIGHTS;

/** The table in daylight: greys of undyed wool, brightest where the window is. */
export const BACKDROP = {
  defs:
    `<radialGradient id="day" cx=".3" cy=".2" r="1">` +
    `<stop stop-color="#f1ede5"/><stop offset=".55" stop-color="#eae5dc"/><stop offset="1" stop-color="#e2dcd1"/></radialGradient>`,
  body: `<path fill="url(#day)" d="M0 0h${WIDTH}v${HEIGHT}H0z"/>`,
} as const;

/** The soft shadow of whatever `#all` holds. */
export const SHADOW =
  `<g fill="#4a3823" stroke="#4a3823" stroke-linejoin="round">` +
  [
    [9, 13, 17, 0.035],
    [8, 11, 11, 0.04],
    [6, 9, 6, 0.05],
    [4, 6, 2, 0.07],
    [2, 3, 0, 0.12],
  ]
    .map(
      ([x = 0, y = 0, width = 0, opacity = 0]) =>
        `<use href="#all" x="${x}" y="${y}" stroke-width="${width}" opacity="${opacity}"/>`,
    )
    .join('') +
  `</g>`;
