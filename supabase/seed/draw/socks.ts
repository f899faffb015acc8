/** A pair of socks laid on its side, toes to the window. */
import type { Colour } from './dyes.ts';
import { shift } from './path.ts';
import type { Sheet } from './sheet.ts';

interface Shape {
  readonly whole: string;
  readonly cuff: string;
  readonly folds: readonly (readonly [string, string, string, number])[];
}

const HEEL = 'M291 300C304 330 302 366 272 382L246 392C234 362 250 322 291 300Z';
const TOE = 'M134 432C102 440 78 426 80 402C82 382 104 372 128 364C116 388 118 414 134 432Z';

const CREW: Shape = {
  whole:
    'M204 66L286 72C284 150 284 226 290 294C304 330 302 366 272 382C232 402 180 422 134 432C102 440 78 426 80 402C82 380 110 370 140 356C180 338 202 320 204 280C206 210 206 140 204 66Z',
  cuff: 'M202 62Q246 58 288 66L287 126Q246 130 204 124Z',
  folds: [
    ['204 300', '232 318', '250 312', 12],
    ['214 282', '240 296', '284 290', 10],
    ['160 352', '180 376', '206 380', 11],
    ['216 140', '222 200', '214 270', 10],
  ],
};
const ANKLE: Shape = {
  whole:
    'M204 206L286 210C286 240 286 270 290 294C304 330 302 366 272 382C232 402 180 422 134 432C102 440 78 426 80 402C82 380 110 370 140 356C180 338 202 320 204 280C205 256 205 230 204 206Z',
  cuff: 'M202 200Q246 196 288 204L287 238Q246 242 204 236Z',
  folds: [
    ['204 300', '232 318', '250 312', 12],
    ['160 352', '180 376', '206 380', 11],
  ],
};

function sock(sheet: Sheet, shape: Shape, x: number, y: number, contrast: Colour): void {
  const at = (d: string): string => shift(d, x, y);
  const point = (text: string): string => {
    const [px = 0, py = 0] = text.split(' ').map(Number);
    return `${px + x} ${py + y}`;
  };
  sheet.piece(at(shape.whole), { light: 'tube' });
  for (const [a, b, c, width] of shape.folds) sheet.fold(point(a), point(b), point(c), width);
  for (const d of [HEEL, TOE]) sheet.applied(at(d), { fill: contrast, light: 'body' });
  sheet.piece(at(shape.cuff), { fill: 'rib', light: 'tube' });
}

/** The second sock lies under the first; heel and toe are in another yarn. */
function pair(sheet: Sheet, shape: Shape, dx: number, dy: number): void {
  const contrast = sheet.partner.base;
  sock(sheet, shape, 34 + dx, -14 + dy, contrast);
  sock(sheet, shape, -18 + dx, 12 + dy, contrast);
}

export const crewSocks = (sheet: Sheet): void => pair(sheet, CREW, 0, 0);
export const ankleSocks = (sheet: Sheet): void => pair(sheet, ANKLE, 0, -66);
