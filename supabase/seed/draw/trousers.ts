/** Trousers and shorts in cloth: pleats or none, wide or slim, a band or a cord. */
import { layBand, layFly, layLegs, type Legs } from './legs.ts';
import { both, half } from './path.ts';
import type { Sheet } from './sheet.ts';

const WIDE: Legs = { top: 48, rise: 206, foot: 462, waist: 66, hip: 100, outer: 116, inner: 14 };
const SLIM: Legs = { top: 48, rise: 200, foot: 464, waist: 64, hip: 88, outer: 77, inner: 27 };
const EASY: Legs = { top: 50, rise: 212, foot: 452, waist: 72, hip: 98, outer: 84, inner: 26 };
const SHORTS: Legs = { top: 122, rise: 286, foot: 386, waist: 76, hip: 112, outer: 124, inner: 10 };

function slantPockets(sheet: Sheet, { top, waist, hip }: Legs, deep: number): void {
  const [x, y] = [200 + waist - 16, top + deep];
  sheet.seam(both(`M${x} ${y}L${200 + hip - 8} ${y + 66}`));
  sheet.stitch(both(`M${x - 3.5} ${y + 1}L${200 + hip - 12} ${y + 66}`));
}

/** The crease a press leaves down the middle of each leg. */
function creases(sheet: Sheet, { top, foot, outer, inner }: Legs, at: number): void {
  const mid = 200 + (outer + inner) / 2;
  const crease = `M${at} ${top + 30}C${at + 4} ${top + 120} ${mid - 2} ${foot - 180} ${mid} ${foot - 2}`;
  sheet.line(both(crease), sheet.shades.deep, 1.3);
}

export function wide(sheet: Sheet): void {
  layLegs(sheet, WIDE);
  creases(sheet, WIDE, 238);
  slantPockets(sheet, WIDE, 22);
  sheet.seam(both('M236 72L239 124M250 71L255 104'));
  sheet.fold('240 74', '250 130', '248 210', 10);
  sheet.fold('160 74', '150 130', '152 210', 10);
  layFly(sheet, WIDE, 22);
  layBand(sheet, WIDE, { deep: 22 });
}

export function slim(sheet: Sheet): void {
  layLegs(sheet, SLIM);
  slantPockets(sheet, SLIM, 20);
  layFly(sheet, SLIM, 20);
  sheet.stitch(both('M276 452Q252 458 227 454'));
  layBand(sheet, SLIM, { deep: 20 });
}

/** A channel and a cord instead of a band: gathers all along the top. */
function drawstring(sheet: Sheet, legs: Legs): void {
  const { top, waist } = legs;
  const w = 200 + waist;
  sheet.applied(
    half(
      `M200 ${top + 7}C230 ${top + 7} ${w - 14} ${top + 4} ${w} ${top}L${w + 2} ${top + 22}C${w - 14} ${top + 27} 230 ${top + 30} 200 ${top + 30}`,
    ),
    { light: 'body' },
  );
  let gathers = '';
  for (let x = 12; x < waist - 2; x += 9) {
    gathers += `M${200 + x} ${top + 10}L${201 + x} ${top + 25}M${202 + x} ${top + 32}L${204 + x * 1.06} ${top + 44 + (x % 4) * 5}`;
  }
  sheet.seam(both(gathers));
  const tie = `M193 ${top + 18}C186 ${top + 44} 190 ${top + 66} 184 ${top + 92}M207 ${top + 18}C216 ${top + 40} 210 ${top + 60} 217 ${top + 82}M193 ${top + 18}Q200 ${top + 23} 207 ${top + 18}`;
  sheet.line(tie, sheet.shades.line, 4);
  sheet.line(tie, '#efe6d3', 2.6);
}

export function easy(sheet: Sheet): void {
  layLegs(sheet, EASY);
  slantPockets(sheet, EASY, 30);
  sheet.seam('M200 80L200 212');
  sheet.stitch(both('M282 436Q254 442 228 438'));
  drawstring(sheet, EASY);
}

export function campShorts(sheet: Sheet): void {
  layLegs(sheet, SHORTS);
  slantPockets(sheet, SHORTS, 30);
  sheet.seam('M200 152L200 286');
  sheet.stitch(both('M322 372Q266 380 211 377'));
  drawstring(sheet, SHORTS);
}

export function pleatShorts(sheet: Sheet): void {
  const legs: Legs = { ...SHORTS, foot: 398, outer: 128 };
  layLegs(sheet, legs);
  slantPockets(sheet, legs, 24);
  creases(sheet, legs, 240);
  sheet.seam(both('M240 148L244 204M256 146L262 184'));
  layFly(sheet, legs, 24);
  sheet.pair('M325 372L329 395Q268 405 208 400L207 377Q268 382 325 372Z', {
    light: 'tube',
    shadow: false,
  });
  layBand(sheet, legs, { deep: 24 });
}
