/** Shirts: woven, cut straight, with a yoke, a placket and a tail. */
import { bandCollar, CAMP_NECK, campCollar, SHIRT_NECK, shirtCollar } from './collars.ts';
import { across, cuff, front, sleeve, type Arm, type Body } from './cut.ts';
import { both, type Point } from './path.ts';
import type { Sheet } from './sheet.ts';

const SHOULDER: Point = [293, 124];
const ARMPIT: Point = [300, 220];

const TAIL: Body = {
  neck: SHIRT_NECK,
  shoulder: SHOULDER,
  armpit: ARMPIT,
  waist: [296, 312],
  hem: [300, 396],
  foot: 432,
};
const STRAIGHT: Body = { ...TAIL, neck: CAMP_NECK, waist: [302, 310], hem: [304, 406], foot: 410 };

const LONG: Arm = { shoulder: SHOULDER, armpit: ARMPIT, outer: [366, 366], inner: [325, 377] };
const WIDE: Arm = { shoulder: SHOULDER, armpit: ARMPIT, outer: [372, 214], inner: [317, 246] };

function longSleeves(sheet: Sheet): void {
  sheet.pair(sleeve(LONG), { turn: -13, light: 'tube' });
  sheet.fold('306 230', '332 264', '342 300', 13);
  sheet.fold('350 362', '346 320', '336 296', 9);
  sheet.fold('336 366', '336 340', '328 320', 8);
  sheet.fold('94 230', '68 264', '60 300', 13);
  sheet.fold('56 364', '58 330', '66 306', 9);
  sheet.seam(both('M343 370L337 336'));
  sheet.pair(cuff(LONG, 30, 2), { turn: -13, light: 'tube' });
  sheet.stitch(both('M364 371L331 380M370 390L337 399'));
  sheet.buttons(['342 387', '58 387'], 2.6);
}

/** Folds that start where cloth is held (pocket, hem, armhole) and run out. */
function drape(sheet: Sheet, foot = 424): void {
  sheet.fold('288 246', '274 320', '290 398', 15);
  sheet.fold('236 262', '220 340', `234 ${foot}`, 15);
  sheet.fold('126 250', '144 330', '128 404', 15);
  sheet.fold('176 300', '168 360', `178 ${foot}`, 11);
  sheet.lift('160 170', '146 280', '158 400', 24);
}

function placket(sheet: Sheet, top: number, foot: number, first: number, count: number): void {
  sheet.seam(`M192.5 ${top}L192.5 ${foot}M207.5 ${top}L207.5 ${foot}`);
  sheet.stitch(`M195.5 ${top}L195.5 ${foot}M204.5 ${top}L204.5 ${foot}`);
  const step = (foot - 44 - first) / (count - 1);
  sheet.buttons(
    Array.from({ length: count }, (_, i) => `200 ${first + i * step}`),
    3,
  );
}

function yoke(sheet: Sheet): void {
  sheet.seam(both('M246 116L292 138'));
  sheet.stitch(both('M245 119L292 141M299 388C285 412 240 428 200 428'));
}

export function buttonDown(sheet: Sheet): void {
  longSleeves(sheet);
  sheet.piece(front(TAIL));
  drape(sheet);
  yoke(sheet);
  placket(sheet, 124, 432, 164, 6);
  sheet.applied('M226 186L270 185L270 226L248 238L226 227Z');
  sheet.stitch('M229 189L229 225L248 234L267 224L267 189M226 194L270 193');
  shirtCollar(sheet, 0, 0, true);
}

export function workShirt(sheet: Sheet): void {
  longSleeves(sheet);
  sheet.piece(front(TAIL));
  drape(sheet);
  yoke(sheet);
  placket(sheet, 124, 432, 162, 6);
  for (const x of [126, 225]) {
    sheet.applied(`M${x} 188L${x + 49} 188L${x + 49} 244L${x + 42} 250L${x + 7} 250L${x} 244Z`);
    sheet.applied(`M${x - 2} 182L${x + 51} 182L${x + 51} 198L${x + 25} 211L${x - 2} 198Z`);
    sheet.stitch(`M${x} 196L${x + 25} 208L${x + 49} 196`);
  }
  sheet.buttons(['151 203', '250 203'], 2.8);
  shirtCollar(sheet, 0, 6);
}

export function camp(sheet: Sheet): void {
  sheet.pair(sleeve(WIDE), { turn: -40, light: 'tube' });
  sheet.stitch(both(across(WIDE, 12)));
  sheet.fold('304 222', '330 206', '328 170', 13);
  sheet.fold('96 222', '74 206', '76 172', 13);
  sheet.piece(front(STRAIGHT));
  drape(sheet, 404);
  sheet.seam('M193 184L193 410');
  sheet.stitch(both('M304 396C270 400 230 400 200 400'));
  sheet.buttons(['200 200', '200 246', '200 292', '200 338', '200 384'], 3.2);
  sheet.applied('M228 198L274 196L275 246L229 247Z');
  sheet.stitch('M231 201L232 244L272 243L271 199M228 206L274 204');
  campCollar(sheet);
}

export function grandad(sheet: Sheet): void {
  longSleeves(sheet);
  sheet.piece(front(TAIL));
  drape(sheet);
  yoke(sheet);
  sheet.seam('M192.5 132L192.5 262L207.5 262L207.5 132');
  sheet.stitch('M195.5 132L195.5 250M204.5 132L204.5 250M195 252L205 252L205 260L195 260');
  sheet.buttons(['200 156', '200 186', '200 216', '200 244'], 3);
  sheet.fold('204 264', '212 320', '206 400', 12);
  sheet.fold('196 264', '184 330', '190 410', 12);
  bandCollar(sheet);
}
