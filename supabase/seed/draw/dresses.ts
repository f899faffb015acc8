/** Dresses. The head of the sheet is theirs: they begin where a coat would. */
import { bandCollar, SHIRT_NECK, shirtCollar } from './collars.ts';
import { cuff, front, sleeve, type Arm } from './cut.ts';
import { both, half, lower, type Point } from './path.ts';
import type { Sheet } from './sheet.ts';

const SHOULDER: Point = [283, 80];
const ARMPIT: Point = [284, 162];
const UP = -46;

const skirt = (top: number, waist: number, hem: number, foot: number): string =>
  half(
    `M200 ${top + 2}L${200 + waist} ${top - 2}C${208 + waist} ${top + 70} ${190 + hem} ${foot - 110} ${200 + hem} ${foot - 10}` +
      `C${160 + hem} ${foot + 4} 250 ${foot + 6} 200 ${foot + 6}`,
  );

function sweep(sheet: Sheet, top: number, waist: number, hem: number, foot: number): void {
  for (const [at, width] of [
    [0.82, 20],
    [0.36, 16],
    [-0.28, 16],
    [-0.76, 20],
  ] as const) {
    sheet.fold(
      `${200 + waist * at} ${top}`,
      `${200 + hem * at * 0.72} ${top + (foot - top) * 0.6}`,
      `${200 + hem * at} ${foot + 2 - Math.abs(at) * 8}`,
      width,
    );
  }
  sheet.lift(
    `${200 - waist * 0.5} ${top + 10}`,
    `${200 - hem * 0.5} ${foot - 110}`,
    `${200 - hem * 0.54} ${foot - 4}`,
    26,
  );
}

/** Short gathers under a seam, closer in the middle. */
function gathers(sheet: Sheet, y: number, wide: number, long: number): void {
  let d = '';
  for (let i = 1; i <= 11; i += 1) {
    const x = (wide * i) / 11.6;
    d += `M${200 + x} ${y}Q${201 + x} ${y + long * 0.4} ${202 + x * 1.07} ${y + long * (0.6 + ((i * 5) % 7) / 14)}`;
  }
  sheet.line(both(d), sheet.shades.line, 0.8);
}

export function shirtDress(sheet: Sheet): void {
  const arm: Arm = { shoulder: SHOULDER, armpit: ARMPIT, outer: [342, 172], inner: [292, 196] };
  sheet.pair(sleeve(arm), { turn: -36, light: 'tube' });
  sheet.pair(cuff({ ...arm, outer: [336, 160], inner: [287, 184] }, 16, -2), {
    turn: -36,
    light: 'tube',
  });
  sheet.piece(skirt(222, 66, 116, 454));
  sweep(sheet, 232, 66, 116, 454);
  sheet.stitch(both('M314 434C280 447 240 450 208 450'));
  sheet.piece(
    front({
      neck: lower(SHIRT_NECK, UP),
      shoulder: SHOULDER,
      armpit: ARMPIT,
      waist: [272, 200],
      hem: [267, 222],
      foot: 225,
    }),
  );
  sheet.fold('276 172', '258 196', '260 222', 10);
  sheet.fold('124 172', '142 196', '140 222', 10);
  sheet.seam('M192.5 82L192.5 460M207.5 82L207.5 460');
  sheet.stitch('M195.5 82L195.5 459M204.5 82L204.5 459');
  sheet.seam(both('M246 72L282 90'));
  sheet.applied('M228 128L262 127L262 160L245 169L228 160Z');
  sheet.applied('M172 128L138 127L138 160L155 169L172 160Z');
  sheet.stitch(both('M228 134L262 133'));
  sheet.buttons(
    [116, 152, 188, 254, 298, 342, 386, 428].map((y) => `200 ${y}`),
    3,
  );
  sheet.applied(half('M200 214C230 214 252 212 268 209L270 228C252 231 230 233 200 233'), {
    turn: 90,
    light: 'body',
  });
  sheet.piece('M192 214L210 215L218 222L264 306L250 312L206 234L192 233Z', {
    turn: 24,
    shadow: false,
  });
  sheet.piece('M208 215L191 216L184 224L170 318L185 320L196 234L208 232Z', {
    turn: -20,
    shadow: false,
  });
  sheet.applied('M190 211L211 212L211 235L190 234Z', { turn: 45 });
  shirtCollar(sheet, UP);
}

/** A smock: yoke, gathers, tiers, sleeves gathered at the wrist. */
export function smock(sheet: Sheet): void {
  const arm: Arm = { shoulder: SHOULDER, armpit: ARMPIT, outer: [364, 286], inner: [310, 302] };
  sheet.pair(sleeve(arm), { turn: -16, light: 'tube' });
  sheet.fold('296 190', '330 230', '344 286', 15);
  sheet.fold('104 190', '70 230', '58 286', 15);
  sheet.pair(cuff(arm, 16, 11), { turn: -16, light: 'tube' });
  sheet.piece(skirt(330, 102, 126, 456));
  gathers(sheet, 334, 102, 46);
  sweep(sheet, 350, 110, 126, 456);
  sheet.piece(
    front({
      neck: lower(SHIRT_NECK, UP),
      shoulder: SHOULDER,
      armpit: ARMPIT,
      waist: [296, 260],
      hem: [304, 330],
      foot: 336,
    }),
  );
  gathers(sheet, 146, 76, 56);
  sweep(sheet, 190, 84, 102, 332);
  sheet.seam(both('M276 138C260 144 230 146 200 146'));
  sheet.stitch(
    both(
      'M276 134C260 140 230 142 200 142M302 326C280 331 240 332 200 332M315 436C280 449 240 452 200 452',
    ),
  );
  sheet.seam('M193 86L193 144L207 144L207 86');
  sheet.buttons(['200 104', '200 120', '200 136'], 2.8);
  bandCollar(sheet, UP);
}

/** A pinafore: a bib on two straps that cross at the back, and pockets for everything. */
export function pinafore(sheet: Sheet): void {
  sheet.piece('M232 44L246 42L176 178L154 176Z', { fill: sheet.shades.inside, light: 'none' });
  sheet.piece('M168 44L154 42L224 178L246 176Z', { fill: sheet.shades.inside, light: 'none' });
  sheet.lining(half('M200 166C230 164 256 168 272 190L260 220L200 220'));
  sheet.label(200, 170);
  const fallTo = half(
    'M200 128C222 128 238 127 250 124C254 160 264 186 280 204C296 280 314 370 324 446C290 462 240 464 200 464',
  );
  sheet.piece(fallTo);
  sweep(sheet, 220, 66, 122, 456);
  sheet.seam(both('M280 206C250 214 224 215 200 215'));
  sheet.stitch(
    both(
      'M246 130C250 164 260 190 275 206M250 140C230 142 215 143 200 143M322 436C290 450 240 454 200 454M278 202C250 209 224 210 200 210',
    ),
  );
  sheet.applied('M170 152L230 152L230 196L222 203L178 203L170 196Z');
  sheet.stitch('M171 161L229 161M200 163L200 202');
  for (const d of ['M226 248L280 243L290 318L233 325Z', 'M174 248L120 243L110 318L167 325Z'])
    sheet.applied(d, { turn: 4 });
  sheet.stitch(both('M228 260L281 255M230 252L236 321L286 315'));
  sheet.pair('M231 142L229 66C229 50 232 44 239 42C247 42 249 48 249 62L250 140Z', { turn: 4 });
  sheet.stitch(both('M234 138L232.5 64M246 137L245.5 62'));
  sheet.buttons(['241 133', '159 133'], 4.4, '#4b3424');
}

/** A slip on the bias: two thin straps, nothing else. */
export function slip(sheet: Sheet): void {
  const strap = both('M244 112C246 84 246 50 236 46C226 44 226 90 228 134');
  sheet.line(strap, sheet.shades.line, 4.6);
  sheet.line(strap, sheet.shades.base, 2.6);
  sheet.lining(half('M200 134C220 134 232 130 242 124L256 156L200 172'));
  sheet.label(200, 137);
  sheet.piece(
    half(
      'M200 166C214 148 232 126 244 108C252 126 264 146 276 160C270 196 260 214 258 236C264 310 296 380 306 448C276 462 236 464 200 464',
    ),
    { turn: 45 },
  );
  sheet.fold('266 176', '236 200', '214 196', 11);
  sheet.fold('134 176', '160 204', '186 196', 11);
  sheet.fold('256 240', '244 330', '272 456', 20);
  sheet.fold('214 220', '206 340', '218 462', 16);
  sheet.fold('146 230', '150 340', '126 454', 20);
  sheet.lift('168 190', '166 320', '156 460', 30);
  sheet.lift('232 230', '234 340', '246 460', 20);
  sheet.stitch(
    both(
      'M200 171C216 152 234 131 244 115C253 132 264 150 274 164M304 438C276 452 236 455 200 455',
    ),
  );
}
