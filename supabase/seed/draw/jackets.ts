/** Short jackets for work: everything that can tear is sewn down twice. */
import { shirtCollar, SHIRT_NECK } from './collars.ts';
import { cuff, front, sleeve, type Arm, type Body } from './cut.ts';
import { both, half, type Point } from './path.ts';
import type { Sheet } from './sheet.ts';

const SHOULDER: Point = [295, 126];
const ARMPIT: Point = [303, 224];
const ARM: Arm = { shoulder: SHOULDER, armpit: ARMPIT, outer: [372, 378], inner: [324, 391] };
const STRAIGHT: Body = {
  neck: SHIRT_NECK,
  shoulder: SHOULDER,
  armpit: ARMPIT,
  waist: [303, 310],
  hem: [305, 418],
  foot: 422,
};

function sleeves(sheet: Sheet, arm: Arm = ARM): void {
  sheet.pair(sleeve(arm), { turn: -13, light: 'tube' });
  sheet.fold('308 236', '338 268', '348 304', 14);
  sheet.fold('360 320', '342 326', '326 312', 10);
  sheet.fold('92 236', '62 268', '54 304', 14);
  sheet.fold('40 326', '56 332', '74 320', 10);
}

function drape(sheet: Sheet, foot: number): void {
  sheet.fold('292 250', '280 330', `294 ${foot}`, 16);
  sheet.fold('214 250', '208 340', `218 ${foot}`, 12);
  sheet.fold('122 256', '140 330', `122 ${foot}`, 16);
  sheet.lift('158 170', '146 280', `158 ${foot}`, 24);
}

const patchPocket = (x: number, y: number, wide: number, high: number): string =>
  `M${x} ${y}L${x + wide} ${y}L${x + wide} ${y + high - 9}L${x + wide - 9} ${y + high}L${x + 9} ${y + high}L${x} ${y + high - 9}Z`;

/** A pocket sewn on from outside, its hem and its edge stitched. */
function pocket(sheet: Sheet, x: number, y: number, wide: number, high: number): void {
  sheet.applied(patchPocket(x, y, wide, high));
  sheet.stitch(`M${x + 1} ${y + 10}L${x + wide - 1} ${y + 10}`);
  sheet.stitch(patchPocket(x + 3.5, y + 3.5, wide - 7, high - 7));
}

export function chore(sheet: Sheet): void {
  sleeves(sheet);
  sheet.stitch(both('M366 352L320 363M365 348L319 359'));
  sheet.piece(front(STRAIGHT));
  drape(sheet, 420);
  sheet.seam('M191 126L190 422');
  sheet.stitch('M210 128L210 421M194.5 126L194 421');
  sheet.stitch(both('M304 409C270 412 230 413 212 413M246 117L290 136'));
  pocket(sheet, 228, 182, 50, 56);
  pocket(sheet, 224, 306, 66, 82);
  pocket(sheet, 110, 306, 66, 82);
  sheet.buttons(
    [160, 218, 276, 334, 392].map((y) => `201 ${y}`),
    4.6,
    '#4b3424',
  );
  shirtCollar(sheet, 0, 8);
}

const COPPER = '#b9783f';

/** The short one in denim: pointed flaps, seams that run down to the band, metal buttons. */
export function trucker(sheet: Sheet): void {
  const arm: Arm = { ...ARM, outer: [368, 356], inner: [325, 367] };
  const thread = '#cf9a52';
  sleeves(sheet, arm);
  sheet.pair(cuff(arm, 26, 3), { turn: -13, light: 'tube' });
  sheet.stitch(both('M367 361L331 370M374 376L338 386'), thread);
  sheet.buttons(['344 378', '56 378'], 3.4, COPPER);
  sheet.piece(front({ ...STRAIGHT, waist: [298, 310], hem: [290, 386], foot: 388 }));
  sheet.fold('290 250', '278 320', '284 384', 14);
  sheet.fold('124 256', '138 330', '122 384', 14);
  sheet.lift('158 220', '150 300', '160 384', 20);
  sheet.piece(half('M200 388C240 388 270 387 291 385L288 414C262 418 230 418 200 418'));
  sheet.stitch(both('M290 390C262 392 230 392 200 392M287 410C262 413 230 413 200 413'), thread);
  sheet.seam(both('M296 178L212 178M232 200L222 386M272 200L250 386'));
  sheet.stitch(both('M296 182L212 182M235 202L225 386M269 202L247 386M246 118L291 138'), thread);
  sheet.seam('M190 126L190 418M211 126L211 418');
  sheet.stitch('M193.5 126L193.5 417M207.5 126L207.5 417', thread);
  for (const flap of [
    'M226 178L278 178L278 196L252 208L226 196Z',
    'M122 178L174 178L174 196L148 208L122 196Z',
  ]) {
    sheet.applied(flap);
  }
  sheet.stitch(both('M229 182L229 194L252 204L275 194L275 182'), thread);
  sheet.buttons(
    ['252 199', '148 199', ...[156, 206, 256, 306, 356, 403].map((y) => `200.5 ${y}`)],
    3.8,
    COPPER,
  );
  shirtCollar(sheet, 0, 4);
}

/** Quilted, without a collar, bound at every edge. */
export function liner(sheet: Sheet): void {
  sleeves(sheet);
  sheet.pair(cuff({ ...ARM, outer: [370, 372], inner: [323, 385] }, 8), {
    fill: 'poplin',
    turn: -13,
    light: 'tube',
  });
  sheet.lining(half('M200 102C216 102 230 100 236 96L246 104C240 136 218 170 200 186'));
  sheet.label(200, 107);
  sheet.piece(
    front({ ...STRAIGHT, neck: 'M200 190C218 170 240 136 245 103', hem: [306, 400], foot: 416 }),
  );
  drape(sheet, 410);
  sheet.applied('M226 304L284 304L286 370L226 372Z');
  sheet.applied('M174 304L116 304L114 370L174 372Z');
  sheet.seam('M200 188L194 416');
  sheet.line(both('M228 307L282 307'), sheet.shades.deep, 5);
  sheet.line('M196 190L192 414', sheet.shades.deep, 5);
  sheet.line(
    both('M200 187C217 168 238 136 243 104M303 402C276 410 232 413 200 413'),
    sheet.shades.deep,
    5,
  );
  sheet.buttons(
    [206, 256, 306, 356, 400].map((y) => `200 ${y}`),
    4,
    '#3a2a1c',
  );
}
