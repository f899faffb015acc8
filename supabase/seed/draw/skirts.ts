/** Skirts: a band that fits, and cloth that falls from it. */
import { both, half } from './path.ts';
import type { Sheet } from './sheet.ts';

interface Fall {
  readonly top: number;
  readonly waist: number;
  readonly hem: number;
  readonly foot: number;
}

function fall(sheet: Sheet, { top, waist, hem, foot }: Fall): void {
  const [w, h] = [200 + waist, 200 + hem];
  sheet.lining(
    half(`M200 ${top - 10}C232 ${top - 10} ${w - 16} ${top - 6} ${w} ${top}L200 ${top + 12}`),
  );
  sheet.label(200, top - 7, 26);
  sheet.piece(
    half(
      `M200 ${top + 6}L${w} ${top}C${w + 12} ${top + 50} ${w + (hem - waist) * 0.7} ${top + (foot - top) * 0.5} ${h} ${foot - 12}` +
        `C${h - 40} ${foot + 2} ${200 + hem * 0.4} ${foot + 4} 200 ${foot + 4}`,
    ),
  );
}

function band(sheet: Sheet, { top, waist }: Fall, deep: number): void {
  const w = 200 + waist;
  sheet.applied(
    half(
      `M200 ${top + 7}C232 ${top + 7} ${w - 16} ${top + 4} ${w + 0.5} ${top}L${w + 3} ${top + deep - 3}C${w - 16} ${top + deep + 2} 232 ${top + deep + 5} 200 ${top + deep + 5}`,
    ),
    { light: 'body', turn: 90 },
  );
}

/** Deep soft folds from the band to the hem. */
function hang(sheet: Sheet, { top, waist, hem, foot }: Fall): void {
  for (const [at, width] of [
    [0.85, 20],
    [0.36, 17],
    [-0.3, 17],
    [-0.78, 20],
  ] as const) {
    sheet.fold(
      `${200 + waist * at} ${top + 40}`,
      `${200 + hem * at * 0.8} ${top + (foot - top) * 0.7}`,
      `${200 + hem * at} ${foot - 8 + (1 - Math.abs(at)) * 9}`,
      width,
    );
  }
  sheet.lift(
    `${200 - waist * 0.5} ${top + 40}`,
    `${200 - hem * 0.5} ${foot - 120}`,
    `${200 - hem * 0.56} ${foot - 4}`,
    24,
  );
  sheet.lift(
    `${200 + waist * 0.6} ${top + 60}`,
    `${200 + hem * 0.5} ${foot - 120}`,
    `${200 + hem * 0.62} ${foot - 4}`,
    18,
  );
}

const MIDI: Fall = { top: 62, waist: 64, hem: 124, foot: 448 };
const MINI: Fall = { top: 118, waist: 78, hem: 122, foot: 380 };

/** Buttons all the way down, and two pockets. */
export function buttoned(sheet: Sheet): void {
  fall(sheet, MIDI);
  hang(sheet, MIDI);
  sheet.seam('M190 88L189 452');
  sheet.stitch('M209 88L210 451M193 88L192 451');
  sheet.stitch(both('M321 426C290 440 240 443 210 443'));
  sheet.applied('M228 130L272 125L280 184L232 190Z');
  sheet.applied('M172 130L128 125L120 184L168 190Z');
  sheet.stitch(both('M229 140L273 135'));
  band(sheet, MIDI, 22);
  sheet.stitch(both('M200 70C232 70 250 67 264 64M200 85C232 85 250 82 266 78'));
  sheet.buttons(
    [78, 122, 168, 214, 260, 306, 352, 398].map((y) => `200 ${y}`),
    4,
    '#e9dcc0',
  );
}

/** Knife pleats, pressed: each a narrow shadow and the edge that throws it. */
export function pleated(sheet: Sheet): void {
  const { top, waist, hem, foot } = MIDI;
  fall(sheet, MIDI);
  let edges = '';
  for (let i = -5; i <= 5; i += 1) {
    const share = (i + 0.1) / 5.6;
    const [x1, x2] = [200 + waist * share, 200 + hem * share];
    const end = foot + 2 - 13 * share * share;
    const bend = `${x1 + (x2 - x1) * 0.34} ${top + 130}`;
    edges += `M${x1} ${top + 22}Q${bend} ${x2} ${end}`;
    sheet.patch(
      `M${x1} ${top + 22}Q${bend} ${x2} ${end}L${x2 + 11} ${end}Q${x1 + (x2 - x1) * 0.34 + 4} ${top + 130} ${x1} ${top + 22}Z`,
      '#1d1209',
      0.13,
    );
    sheet.patch(
      `M${x1} ${top + 22}Q${bend} ${x2} ${end}L${x2 - 8} ${end}Q${x1 + (x2 - x1) * 0.34 - 3} ${top + 130} ${x1} ${top + 22}Z`,
      '#fffaf0',
      0.1,
    );
  }
  sheet.line(edges, sheet.shades.line, 0.9);
  band(sheet, MIDI, 20);
}

/** One side over the other, tied at the hip. */
export function wrap(sheet: Sheet): void {
  fall(sheet, MIDI);
  hang(sheet, MIDI);
  sheet.applied('M136 66L148 84C160 200 176 340 190 456L170 455C150 340 138 200 130 100Z', {
    light: 'shade',
  });
  sheet.seam('M150 84C164 200 180 340 196 453');
  sheet.stitch('M154 84C168 200 184 340 200 452');
  sheet.stitch(both('M321 428C290 442 240 445 204 445'));
  band(sheet, MIDI, 20);
  sheet.piece('M140 82C126 110 124 150 112 186L128 190C138 152 142 116 148 86Z', { turn: 20 });
  sheet.piece('M144 82C148 112 158 136 156 170L170 168C172 132 160 108 152 82Z', { turn: -20 });
  sheet.piece('M136 72L154 72L156 90L138 91Z', { turn: 45, shadow: false });
}

/** A short one, cut like jeans. */
export function mini(sheet: Sheet): void {
  const thread = sheet.fabric === 'denim' ? '#d6a055' : sheet.shades.thread;
  fall(sheet, MINI);
  sheet.fold('270 200', '290 280', '306 376', 18);
  sheet.fold('140 200', '116 290', '110 372', 18);
  sheet.lift('150 190', '138 280', '136 378', 30);
  sheet.seam(both('M246 146C246 172 266 190 288 190'));
  sheet.stitch(both('M242 146C242 175 264 194 289 194M319 354C290 367 240 371 200 371'), thread);
  sheet.seam('M200 146L199 384');
  sheet.stitch('M218 146L218 206C218 226 211 234 202 240M196 146L195 383', thread);
  band(sheet, MINI, 24);
  sheet.stitch(both('M200 127C236 127 262 124 278 122M200 143C236 143 262 140 279 136'), thread);
  for (const x of [158, 242])
    sheet.applied(`M${x - 4} 121L${x + 4} 121L${x + 4} 149L${x - 4} 149Z`);
  sheet.buttons(['204 135'], 4.4, sheet.fabric === 'denim' ? '#b9783f' : '#4b3424');
}
