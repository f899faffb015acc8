/** Knits: fuller than a shirt, dropped at the shoulder, held by ribs at neck, wrist and hem. */
import { cuff, front, sleeve, type Arm, type Body } from './cut.ts';
import { both, half, type Point } from './path.ts';
import type { Sheet } from './sheet.ts';

const SHOULDER: Point = [298, 130];
const ARMPIT: Point = [305, 228];
const ARM: Arm = { shoulder: SHOULDER, armpit: ARMPIT, outer: [370, 366], inner: [324, 378] };

const body = (neck: string): Body => ({
  neck,
  shoulder: SHOULDER,
  armpit: ARMPIT,
  waist: [304, 310],
  hem: [303, 388],
  foot: 391,
});

const CREW = 'M200 146C224 146 240 126 244 104';
const VEE = 'M200 250C216 206 240 150 244 104';

function sleeves(sheet: Sheet): void {
  sheet.pair(sleeve(ARM), { turn: -13, light: 'tube' });
  sheet.fold('310 238', '336 268', '348 306', 15);
  sheet.fold('362 316', '346 322', '328 310', 10);
  sheet.fold('352 366', '346 340', '334 330', 10);
  sheet.fold('90 238', '64 268', '54 306', 15);
  sheet.fold('40 326', '56 332', '70 322', 10);
  sheet.pair(cuff(ARM, 34, 5), { fill: 'rib', turn: -13, light: 'tube' });
}

function hem(sheet: Sheet): void {
  sheet.piece(
    half('M200 389C240 389 280 388 303 385C306 396 304 414 299 424C270 429 235 430 200 430'),
    {
      fill: 'rib',
    },
  );
}

function drape(sheet: Sheet): void {
  sheet.fold('294 252', '280 320', '292 386', 17);
  sheet.fold('238 260', '224 330', '236 390', 16);
  sheet.fold('118 256', '138 320', '122 388', 16);
  sheet.fold('160 300', '166 350', '158 390', 13);
  sheet.lift('150 160', '136 270', '150 384', 26);
}

/** A round rib collar: the back of it behind, the front of it before. */
function crewNeck(sheet: Sheet, deep = 0): void {
  const inner = `232 97C229 116 216 ${128 + deep} 200 ${128 + deep}`;
  sheet.applied(half(`M200 147C225 147 241 127 245 105L${inner}`), { fill: 'rib' });
  sheet.seam(both('M200 147C225 147 241 127 245 105'));
}

function back(sheet: Sheet): void {
  sheet.lining(half('M200 104C214 104 226 102 233 97L244 104C240 126 224 146 200 146'));
  sheet.seam(both('M200 117C214 117 228 114 238 106'));
  sheet.label(200, 119);
}

export function crewJumper(sheet: Sheet): void {
  sleeves(sheet);
  back(sheet);
  sheet.piece(front(body(CREW)));
  drape(sheet);
  hem(sheet);
  crewNeck(sheet);
}

/** A sweatshirt: the same body in loopback, with the stitched V that once soaked up sweat. */
export function sweatshirt(sheet: Sheet): void {
  crewJumper(sheet);
  sheet.applied('M184 148Q200 151 216 148L200 172Z', { fill: 'rib' });
  sheet.stitch(both('M306 230C286 206 284 160 296 134M302 380C270 384 235 384 200 384'));
}

/** Set on the slant, from neck to armpit, the way a fisherman's is. */
function raglan(sheet: Sheet): void {
  sheet.pair(
    'M236 100C262 106 288 118 302 136C328 166 352 250 370 366L324 378C318 330 310 270 304 228L240 150Z',
    { turn: -14, light: 'tube' },
  );
  sheet.fold('310 238', '336 268', '348 306', 15);
  sheet.fold('352 366', '346 340', '334 330', 10);
  sheet.fold('90 238', '64 268', '54 306', 15);
  sheet.fold('40 326', '56 332', '70 322', 10);
  sheet.pair(cuff(ARM, 34, 5), { fill: 'rib', turn: -13, light: 'tube' });
  back(sheet);
  sheet.piece(
    half(
      'M200 146C224 146 240 126 244 106C252 152 276 200 306 230C306 290 304 340 303 388C270 391 235 391 200 391',
    ),
  );
  sheet.stitch(both('M250 108C258 152 280 198 306 224'));
}

export function fisherman(sheet: Sheet): void {
  raglan(sheet);
  drape(sheet);
  hem(sheet);
  crewNeck(sheet, 2);
}

export function rollNeck(sheet: Sheet): void {
  raglan(sheet);
  drape(sheet);
  hem(sheet);
  sheet.piece(half('M200 70C216 70 230 73 236 78C234 92 218 98 200 98'), {
    fill: 'rib',
    light: 'shade',
  });
  sheet.label(200, 82, 18);
  sheet.piece(half('M200 94C218 92 232 86 236 78C246 94 250 116 248 132C238 148 220 154 200 154'), {
    fill: 'rib',
  });
  sheet.fold('244 120', '222 138', '190 138', 9);
}

/** A sleeveless one, for over a shirt. */
export function vest(sheet: Sheet): void {
  const edge = 'M200 214C214 186 240 150 246 104';
  sheet.lining(half(`M200 108C216 108 228 104 234 98L290 122L290 200L200 230`));
  sheet.label(200, 114);
  sheet.piece(
    half(`${edge}L284 120C276 160 280 200 298 228C300 290 300 340 298 388C270 391 235 391 200 391`),
  );
  drape(sheet);
  sheet.applied(half('M200 196C212 172 231 146 235 98L246 104C241 150 215 186 200 214'), {
    fill: 'rib',
  });
  sheet.pair('M284 119L294 124C288 160 290 196 305 222L298 230C280 200 274 160 284 119Z', {
    fill: 'rib',
    light: 'none',
  });
  sheet.piece(
    half('M200 389C240 389 276 388 299 385C302 396 300 414 295 424C266 429 235 430 200 430'),
    { fill: 'rib' },
  );
}

export function veeCardigan(sheet: Sheet): void {
  sleeves(sheet);
  sheet.lining(half('M200 104C214 104 226 102 233 97L244 104C240 150 216 206 200 250'));
  sheet.label(200, 110);
  sheet.piece(front(body(VEE)));
  drape(sheet);
  hem(sheet);
  for (const x of [124, 226]) {
    sheet.applied(`M${x} 300L${x + 50} 300L${x + 50} 374L${x} 374Z`);
    sheet.applied(`M${x - 1} 296L${x + 51} 296L${x + 51} 310L${x - 1} 310Z`, { fill: 'rib' });
  }
  sheet.pair('M200 246C214 204 233 146 235 97L249 104C248 152 226 212 208 262L208 431L200 431Z', {
    fill: 'rib',
    light: 'none',
  });
  sheet.applied('M192 262L200 246L208 262L208 431L192 431Z', { fill: 'rib' });
  sheet.buttons(
    [270, 308, 346, 384, 420].map((y) => `200 ${y}`),
    4.4,
    '#4b3424',
  );
}

export function crewCardigan(sheet: Sheet): void {
  sleeves(sheet);
  back(sheet);
  sheet.piece(front(body(CREW)));
  drape(sheet);
  hem(sheet);
  sheet.applied('M192 140L208 140L208 431L192 431Z', { fill: 'rib' });
  crewNeck(sheet);
  sheet.buttons(
    [137, 178, 222, 266, 310, 354, 398].map((y) => `200 ${y}`),
    4,
    '#e9dcc0',
  );
}
