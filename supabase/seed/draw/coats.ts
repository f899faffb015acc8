/** Coats: heavy wool, lined, cut to go over a jumper. */
import { cuff, front, sleeve, type Arm, type Body } from './cut.ts';
import { both, half, lower, type Point } from './path.ts';
import type { Sheet } from './sheet.ts';

const HORN = '#46301f';
const SHOULDER: Point = [286, 88];
const ARMPIT: Point = [291, 180];
const ARM: Arm = { shoulder: SHOULDER, armpit: ARMPIT, outer: [356, 330], inner: [310, 342] };

const LONG: Body = {
  neck: 'M200 200C210 166 226 108 236 62',
  shoulder: SHOULDER,
  armpit: ARMPIT,
  waist: [286, 262],
  hem: [306, 462],
  foot: 467,
};

function sleeves(sheet: Sheet, by = 0): void {
  const arm: Arm = {
    shoulder: [SHOULDER[0], SHOULDER[1] + by],
    armpit: [ARMPIT[0], ARMPIT[1] + by],
    outer: [ARM.outer[0], ARM.outer[1] + by],
    inner: [ARM.inner[0], ARM.inner[1] + by],
  };
  sheet.pair(sleeve(arm), { turn: -13, light: 'tube' });
  sheet.fold(`296 ${190 + by}`, `324 ${224 + by}`, `336 ${262 + by}`, 14);
  sheet.fold(`346 ${274 + by}`, `330 ${280 + by}`, `312 ${268 + by}`, 10);
  sheet.fold(`104 ${190 + by}`, `76 ${224 + by}`, `66 ${262 + by}`, 14);
  sheet.fold(`54 ${280 + by}`, `70 ${288 + by}`, `86 ${276 + by}`, 10);
}

const drape = (sheet: Sheet, foot: number): void => {
  sheet.fold('278 220', `272 ${foot - 90}`, `292 ${foot}`, 18);
  sheet.fold('238 250', `228 ${foot - 60}`, `244 ${foot}`, 18);
  sheet.fold('124 230', `134 ${foot - 70}`, `118 ${foot}`, 18);
  sheet.fold('164 280', `170 ${foot - 50}`, `158 ${foot}`, 13);
  sheet.lift('150 130', '138 260', `140 ${foot}`, 24);
};

/** A tailored collar: two lapels rolled back, the collar meeting them in a notch. */
function lapels(sheet: Sheet, by: number, reach: number): void {
  const end = 198 + reach;
  sheet.lining(half(lower(`M200 48C216 48 228 50 234 56C230 104 214 152 200 ${end}`, by)));
  sheet.label(200, 62 + by, 26);
  sheet.patch(
    both(lower(`M262 104L272 128C258 164 226 194 199 ${end + 9}L232 110Z`, by)),
    '#1d1209',
    0.16,
  );
  sheet.pair(
    lower(
      `M222 102L245 113L271 122C262 152 230 ${172 + reach} 200 ${end}C208 166 216 132 222 102Z`,
      by,
    ),
    { turn: 22 },
  );
  sheet.pair(lower('M231 50C246 60 257 80 262 102L245 114L221 103C227 86 230 68 231 50Z', by), {
    turn: 36,
  });
}

export function overcoat(sheet: Sheet): void {
  sleeves(sheet);
  sheet.stitch(both('M353 313L309 324'));
  sheet.buttons(['331 332', '326 322', '69 332', '74 322'], 2.6, HORN);
  sheet.piece(front(LONG));
  drape(sheet, 460);
  sheet.seam('M200 200C194 208 191 216 191 228L190 466');
  sheet.stitch(both('M305 452C270 457 230 458 202 458'));
  sheet.applied('M230 290L282 286L285 306L232 311Z');
  sheet.applied('M170 290L118 286L115 306L168 311Z');
  sheet.stitch(both('M233 307L282 302'));
  sheet.applied('M240 182L272 174L274 184L242 192Z');
  sheet.buttons(['200 218', '200 262', '200 306'], 5, HORN);
  lapels(sheet, 0, 0);
}

export function peacoat(sheet: Sheet): void {
  sleeves(sheet, 26);
  sheet.stitch(both('M353 337L309 348'));
  sheet.piece(
    front({
      neck: 'M200 208C210 178 226 132 236 88',
      shoulder: [286, 114],
      armpit: [291, 206],
      waist: [289, 290],
      hem: [296, 414],
      foot: 418,
    }),
  );
  drape(sheet, 412);
  sheet.seam('M196 214C180 224 168 240 166 260L164 417');
  sheet.stitch('M170 258L168 412');
  sheet.stitch(both('M295 406C270 410 230 411 204 411'));
  sheet.applied('M252 316L268 312L278 362L262 366Z');
  sheet.applied('M148 316L132 312L122 362L138 366Z');
  sheet.buttons(
    [246, 292, 338].flatMap((y) => [`182 ${y}`, `232 ${y}`]),
    5.4,
    HORN,
  );
  lapels(sheet, 26, -18);
}

/** Toggles on cord, and a hood that lies back behind the shoulders. */
export function duffle(sheet: Sheet): void {
  sleeves(sheet, 14);
  sheet.stitch(both('M353 326L309 337'));
  sheet.piece(half('M200 40C232 38 252 54 254 78C256 96 250 112 242 122L200 140'), {
    light: 'body',
  });
  sheet.lining(half('M200 56C220 56 234 66 236 82C236 104 218 124 200 130'));
  sheet.seam(both('M200 48C226 47 244 60 246 80'));
  sheet.label(200, 74, 26);
  sheet.piece(
    front({
      neck: 'M200 134C216 126 234 104 240 78',
      shoulder: [286, 102],
      armpit: [291, 194],
      waist: [290, 280],
      hem: [304, 442],
      foot: 447,
    }),
  );
  drape(sheet, 440);
  sheet.seam('M200 132C194 138 190 146 190 156L188 446');
  sheet.seam(both('M286 152C260 166 226 168 201 166'));
  sheet.stitch(both('M287 156C260 170 226 172 203 170M303 433C270 437 230 438 204 438'));
  for (const x of [118, 224]) {
    sheet.applied(`M${x} 326L${x + 58} 326L${x + 58} 396L${x} 396Z`);
    sheet.applied(`M${x - 2} 316L${x + 60} 316L${x + 60} 336L${x - 2} 336Z`);
    sheet.stitch(`M${x + 1} 332L${x + 57} 332`);
  }
  for (const y of [188, 232, 276]) {
    sheet.applied(`M158 ${y - 9}L170 ${y}L158 ${y + 9}L150 ${y}Z`, { fill: '#5b3d28' });
    sheet.applied(`M238 ${y - 9}L226 ${y}L238 ${y + 9}L246 ${y}Z`, { fill: '#5b3d28' });
    sheet.line(
      `M168 ${y - 1.5}L206 ${y - 2}M168 ${y + 1.5}L206 ${y + 2}M228 ${y}L200 ${y}`,
      '#d9c7a2',
      1.8,
    );
    sheet.line(`M190 ${y + 4}L206 ${y - 5}`, '#3a281a', 6.4);
    sheet.line(`M190 ${y + 4}L206 ${y - 5}`, '#a58152', 4.6);
  }
  sheet.pair(
    'M240 76C250 84 256 98 256 110C240 126 220 138 204 142L197 134C216 124 234 102 240 76Z',
    { turn: 30 },
  );
}

/** A mackintosh: proofed cotton, a fly front, a belt through loops. */
export function mac(sheet: Sheet): void {
  sleeves(sheet);
  sheet.pair(cuff({ ...ARM, outer: [354, 318], inner: [309, 329] }, 14, -1), {
    turn: -13,
    light: 'tube',
  });
  sheet.piece(front({ ...LONG, neck: 'M200 90C212 88 230 76 236 62', waist: [276, 258] }));
  drape(sheet, 460);
  sheet.seam('M197 90L190 466');
  sheet.stitch('M214 120L210 462');
  sheet.stitch(both('M305 452C270 457 230 458 202 458M240 82C262 100 276 126 284 160'));
  sheet.applied('M246 300L260 296L268 348L254 351Z');
  sheet.applied('M154 300L140 296L132 348L146 351Z');
  sheet.applied(half('M200 250C230 250 256 248 279 245L279 264C256 267 230 269 200 269'));
  sheet.applied('M186 246L212 246L212 273L186 273Z', { fill: '#4b3424' });
  sheet.applied('M191 252L207 252L207 267L191 267Z');
  sheet.line('M199 252L199 266', '#2a1c10', 1.6);
  sheet.applied('M212 252L246 262L244 318L230 320L230 274L212 268Z', { turn: 10 });
  sheet.lining(half(lower('M200 76C218 76 232 79 239 86C232 104 216 118 200 127', -36)));
  sheet.label(200, 60);
  sheet.pair(
    lower(
      'M239 84C250 92 262 108 266 124L234 158C219 146 208 136 199 124C216 115 233 103 239 84Z',
      -36,
    ),
    { turn: 24 },
  );
  sheet.stitch(both('M261 89L234 117C222 108 212 100 205 91'));
}
