/**
 * The shop's mark: what a selvedge is. The weft crosses over the last warp thread, turns at
 * the edge of the cloth and comes back under it. Two threads, one over and one under.
 *
 * Both run off the square, and the turn stays inside the inner four fifths that every mask
 * leaves (W3C manifest, "safe zone"), so one drawing serves every icon.
 */
const COTTON = '#f7f3ea';
const INK = '#241d18';
const SELVEDGE = '#b3261e';

const THREAD = 74;
/** The sliver of ground that shows which thread lies above: a pixel at the smallest size. */
const GAP = 20;

const pass = (d: string, colour: string, width = THREAD): string =>
  `<path d="${d}" stroke="${colour}" stroke-width="${width}"/>`;

export const iconSvg = (): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 512 512">` +
  `<path fill="${COTTON}" d="M0 0h512v512H0z"/><g fill="none">` +
  pass('M512 348H206A92 92 0 0 1 206 164H236', SELVEDGE) +
  pass('M306 276V420', COTTON, THREAD + 2 * GAP) +
  pass('M306 0V512', INK) +
  pass('M236 164H376', COTTON, THREAD + 2 * GAP) +
  pass('M206 164H512', SELVEDGE) +
  `</g></svg>\n`;
