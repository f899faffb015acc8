/** Tees: jersey, cut and sewn, with a rib at the neck. */
import { across, armhole, front, sleeve, type Arm, type Body } from './cut.ts';
import { both, half, type Point } from './path.ts';
import type { Sheet } from './sheet.ts';

const SHOULDER: Point = [294, 122];
const ARMPIT: Point = [301, 216];

const body = (neck: string): Body => ({
  neck,
  shoulder: SHOULDER,
  armpit: ARMPIT,
  waist: [298, 310],
  hem: [301, 412],
  foot: 418,
});

const SHORT: Arm = { shoulder: SHOULDER, armpit: ARMPIT, outer: [366, 187], inner: [322, 232] };
const LONG: Arm = { shoulder: SHOULDER, armpit: ARMPIT, outer: [365, 388], inner: [328, 398] };

interface Neck {
  /** The front neckline from the centre out, and the inner edge of its rib. */
  readonly edge: string;
  readonly rib: string;
  readonly back: string;
}

const CREW: Neck = {
  edge: 'M200 141C222 141 238 124 242 104',
  rib: 'M200 130C216 130 229 117 233 99',
  back: 'M200 106C214 106 226 104 233 99',
};
const VEE: Neck = {
  edge: 'M200 176C214 158 236 128 242 104',
  rib: 'M200 163C210 148 228 122 233 99',
  back: 'M200 106C214 106 226 104 233 99',
};
const BOAT: Neck = {
  edge: 'M200 120C226 120 250 114 262 110',
  rib: 'M200 112C224 112 246 107 257 104',
  back: 'M200 106C224 106 246 106 257 104',
};

const backwards = (d: string): string => {
  const [sx, sy, ax, ay, bx, by, ex, ey] = (d.match(/-?[\d.]+/g) ?? []).map(Number);
  return `L${ex} ${ey}C${bx} ${by} ${ax} ${ay} ${sx} ${sy}`;
};

/** The inside of the back, seen through the neck, with the label. */
function lining(sheet: Sheet, neck: Neck): void {
  sheet.lining(half(`${neck.back}${backwards(neck.edge)}`));
  sheet.label(200, 109);
}

function torso(sheet: Sheet, neck: Neck): void {
  lining(sheet, neck);
  sheet.piece(front(body(neck.edge)));
  sheet.piece(half(`${neck.rib}${backwards(neck.edge)}`), { light: 'none', shadow: false });
  sheet.stitch(both(neck.edge.replace(/^M200 (\d+)/, (_, y: string) => `M200 ${Number(y) + 4}`)));
  sheet.seam(both(armhole(SHOULDER, ARMPIT)));
  sheet.stitch(both('M301 403C260 408 225 409 200 409'));
  sheet.fold('286 244', '270 320', '284 404', 16);
  sheet.fold('232 250', '214 330', '226 412', 15);
  sheet.fold('122 260', '142 330', '130 404', 14);
  sheet.lift('168 160', '150 270', '172 390', 26);
  sheet.lift('258 240', '246 320', '252 400', 16);
}

function short(sheet: Sheet): void {
  sheet.pair(sleeve(SHORT), { turn: -42, light: 'tube' });
  sheet.stitch(both(across(SHORT, 9)));
  sheet.fold('304 218', '326 196', '322 160', 12);
  sheet.fold('96 218', '78 200', '80 164', 12);
}

function long(sheet: Sheet): void {
  sheet.pair(sleeve(LONG), { turn: -12, light: 'tube' });
  sheet.stitch(both(across(LONG, 9)));
  sheet.fold('306 226', '334 262', '342 296', 12);
  sheet.fold('352 300', '336 306', '320 296', 9);
  sheet.fold('94 226', '66 262', '62 300', 12);
  sheet.fold('48 310', '62 318', '78 308', 9);
}

export function crew(sheet: Sheet): void {
  short(sheet);
  torso(sheet, CREW);
}

export function pocket(sheet: Sheet): void {
  crew(sheet);
  sheet.piece('M222 190L262 189L262 232L242 243L222 233Z', { light: 'none', shadow: false });
  sheet.stitch('M225 193L225 231L242 239L259 230L259 193M222 198L262 197');
}

export function vee(sheet: Sheet): void {
  short(sheet);
  torso(sheet, VEE);
}

export function longSleeve(sheet: Sheet): void {
  long(sheet);
  torso(sheet, CREW);
}

export function boat(sheet: Sheet): void {
  long(sheet);
  torso(sheet, BOAT);
}

export function boatShort(sheet: Sheet): void {
  short(sheet);
  torso(sheet, BOAT);
}

/** A tank: the armholes are bound, and the back shows through them. */
export function tank(sheet: Sheet): void {
  const edge = 'C232 150 238 122 240 92';
  const outline = half(
    `M200 160${edge}L266 88C266 136 268 180 296 210C290 290 295 350 297 412C260 418 225 418 200 418`,
  );
  sheet.lining(half('M200 124C222 124 238 112 240 92L266 88L266 160L200 170'));
  sheet.label(200, 127);
  sheet.piece(outline);
  sheet.seam(both('M200 169C241 156 248 124 249 91M258 90C258 138 260 184 291 218'));
  sheet.stitch(both('M296 403C260 409 225 409 200 409M200 165C237 152 245 122 245 92'));
  sheet.fold('288 244', '270 320', '284 404', 16);
  sheet.fold('232 230', '214 320', '226 412', 15);
  sheet.fold('122 260', '142 330', '130 404', 14);
  sheet.lift('168 190', '150 280', '172 390', 26);
}
