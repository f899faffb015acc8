/** Jeans: five pockets, two rows of stitching everywhere, and the red edge where the hem turns up. */
import { mix } from './dyes.ts';
import { layBand, layFly, layLegs, type Legs } from './legs.ts';
import { both } from './path.ts';
import type { Sheet } from './sheet.ts';

const COPPER = '#b9783f';
const THREAD = '#d6a055';
const BASE: Legs = { top: 46, rise: 200, foot: 464, waist: 66, hip: 91, outer: 90, inner: 22 };
const DEEP = 22;

/** The turn-up shows the wrong side of the cloth and, at the outseam, the selvedge. */
function turnUp(sheet: Sheet, { foot, outer, inner }: Legs): void {
  const [o, i] = [200 + outer, 200 + inner];
  const wrong = mix(sheet.shades.base, '#efe8da', 0.7);
  sheet.pair(
    `M${o + 1.5} ${foot - 30}L${o + 2} ${foot - 3}Q${(o + i) / 2} ${foot + 5} ${i - 2} ${foot + 1}L${i - 2} ${foot - 26}Q${(o + i) / 2} ${foot - 22} ${o + 1.5} ${foot - 30}Z`,
    { fill: wrong, light: 'tube' },
  );
  const strip = (from: number, to: number): string =>
    both(
      `M${o - from} ${foot - 29}L${o - from + 0.5} ${foot - 2}L${o - to + 0.5} ${foot - 2}L${o - to} ${foot - 29}Z`,
    );
  sheet.patch(strip(14, 6), '#f4eee1');
  sheet.patch(strip(10.8, 9), '#b3261e');
}

function jeans(sheet: Sheet, legs: Legs): void {
  const { top, rise, waist, hip, outer, inner } = legs;
  layLegs(sheet, legs);
  const y = top + DEEP;
  const w = 200 + waist;
  // Where the pocket meets the outseam.
  const e = w + (hip - waist) * 0.42;
  // Wear: pale where a thigh and a knee would be.
  const mid = (outer + inner) / 2;
  for (const side of [1, -1]) {
    sheet.lift(
      `${200 + side * (hip * 0.6)} ${top + 80}`,
      `${200 + side * mid} ${rise + 20}`,
      `${200 + side * mid} ${rise + 150}`,
      46,
    );
  }
  const scoop = `M${w - 32} ${y + 4}C${w - 32} ${y + 26} ${w - 12} ${y + 40} ${e} ${y + 40}`;
  sheet.seam(both(scoop));
  sheet.stitch(
    both(`M${w - 35} ${y + 4}C${w - 35} ${y + 29} ${w - 14} ${y + 44} ${e} ${y + 44}`),
    THREAD,
  );
  sheet.stitch(
    `M${400 - w + 18} ${y + 24}L${400 - w + 17} ${y + 37}M${400 - w - 2} ${y + 20}L${400 - w + 20} ${y + 24}`,
    THREAD,
  );
  layFly(sheet, legs, DEEP, THREAD);
  sheet.stitch(`M213 ${y + 4}L213 ${rise - 72}`, THREAD);
  layBand(sheet, legs, { deep: DEEP, thread: THREAD, button: COPPER });
  sheet.buttons(
    [
      `${w - 31} ${y + 8}`,
      `${e - 6} ${y + 38}`,
      `${400 - w + 31} ${y + 8}`,
      `${406 - e} ${y + 38}`,
    ],
    1.9,
    COPPER,
  );
  turnUp(sheet, legs);
}

export const straight = (sheet: Sheet): void => jeans(sheet, BASE);

export const slimJeans = (sheet: Sheet): void =>
  jeans(sheet, { ...BASE, rise: 194, hip: 86, outer: 73, inner: 29 });

export const wideJeans = (sheet: Sheet): void =>
  jeans(sheet, { ...BASE, top: 42, rise: 208, waist: 62, hip: 94, outer: 114, inner: 16 });

/** Loose, with a hammer loop and a double knee. */
export function carpenter(sheet: Sheet): void {
  const legs: Legs = { ...BASE, rise: 208, hip: 97, outer: 104, inner: 18 };
  jeans(sheet, legs);
  sheet.applied('M208 236C228 222 268 222 297 226L301 350C272 356 240 356 212 352Z', { turn: 3 });
  sheet.applied('M192 236C172 222 132 222 103 226L99 350C128 356 160 356 188 352Z', { turn: -3 });
  sheet.stitch(both('M212 238C230 227 268 226 293 230L297 346C272 352 240 352 216 348Z'), THREAD);
}
