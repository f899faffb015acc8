/** A pair of boots from the side, toes to the window: last, welt, sole and heel. */
import type { Colour } from './dyes.ts';
import { shift } from './path.ts';
import type { Sheet } from './sheet.ts';

const UPPER =
  'M190 166C226 160 264 158 298 160C293 210 296 262 306 304C315 334 318 358 316 388C250 393 214 394 176 402C140 411 90 412 50 398C34 384 42 352 80 340C116 329 148 312 170 282C186 256 190 214 190 166Z';
const WELT =
  'M40 394C86 414 150 411 180 402C216 393 260 393 320 388L322 397C262 402 220 401 184 412C150 421 82 423 39 404C35 401 36 396 40 394Z';
const SOLE =
  'M38 402C82 423 150 421 184 412C220 403 262 402 322 397L323 409C290 411 258 411 234 415C206 418 176 432 140 433C98 434 60 428 42 418C35 413 34 407 38 402Z';
const HEEL = 'M236 413C262 409 300 408 324 406L323 432L241 433Z';

type Place = (d: string) => string;

/** The light edge of the welt and its stitches, the sole, the stacked heel. */
function bottom(sheet: Sheet, at: Place, sole: Colour): void {
  sheet.piece(at(HEEL), { fill: sole, light: 'body' });
  sheet.piece(at(SOLE), { fill: sole, light: 'body' });
  sheet.piece(at(WELT), { fill: '#c99f68', light: 'body', shadow: false });
  sheet.stitch(at('M44 401C88 419 148 415 181 407C218 398 260 397 318 392'), '#6d4a2b');
}

/** Where the leather creases, and where it shines. */
function wear(sheet: Sheet): void {
  sheet.fold('112 346', '136 366', '134 404', 11);
  sheet.fold('130 340', '156 358', '158 400', 10);
  sheet.fold('294 214', '272 256', '292 300', 18);
  sheet.fold('186 270', '226 300', '288 282', 13);
  sheet.fold('240 300', '262 340', '250 392', 11);
  sheet.lift('48 378', '62 356', '96 350', 15);
  sheet.lift('226 176', '216 230', '224 280', 26);
}

/** Pulls the boot on: a loop of leather at the back. */
const LOOP = 'M285 164C283 140 306 138 305 158L302 190L290 190Z';

/** Where each eyelet sits, and where its lace goes over the front of the leg. */
const EYELETS = [
  [211, 182, 190, 178],
  [211, 200, 189, 196],
  [209, 218, 187, 214],
  [205, 236, 184, 232],
  [199, 254, 179, 250],
  [191, 271, 172, 266],
] as const;

function laceUp(sheet: Sheet, at: Place, near: boolean): void {
  sheet.piece(at('M190 172C176 154 168 134 180 128C200 124 218 140 224 168Z'), { light: 'shade' });
  sheet.piece(at(UPPER));
  if (near) {
    wear(sheet);
    sheet.stitch(
      at(
        'M226 163C228 210 220 252 202 288C192 308 172 316 150 320M98 336C116 356 118 384 110 408M193 178C228 172 264 170 294 171M306 318C282 326 266 350 262 386',
      ),
    );
  }
  sheet.seam(
    at(
      'M221 162C223 210 215 250 197 284C187 302 166 312 146 315M94 337C111 356 113 384 105 409M308 313C280 322 262 346 257 387',
    ),
  );
  let laces = '';
  let eyelets = '';
  for (const [x, y, edge, rise] of EYELETS) {
    laces += `M${x} ${y}L${edge} ${rise}`;
    if (near) laces += `M${edge} ${rise + 2}L${x - 2} ${y + 16}`;
    eyelets += `M${x - 3} ${y}Q${x} ${y - 6} ${x + 3} ${y}Q${x} ${y + 6} ${x - 3} ${y}Z`;
  }
  if (near)
    laces +=
      'M198 184C166 158 148 170 160 184C172 194 188 190 198 184M198 184C216 202 212 224 198 228M198 184C178 202 170 222 176 238';
  sheet.patch(at(eyelets), '#c9a45e');
  sheet.line(at(laces), '#2a1c10', 4.4);
  sheet.line(at(laces), '#d9c29a', 2.8);
  sheet.piece(at(LOOP), { light: 'none' });
  bottom(sheet, at, '#4a372a');
}

function chelsea(sheet: Sheet, at: Place, near: boolean): void {
  sheet.piece(at('M191 168C189 142 211 140 212 162L211 188L195 188Z'), { light: 'none' });
  sheet.piece(at(UPPER));
  if (near) wear(sheet);
  sheet.applied(at('M220 163L274 160C276 208 268 254 254 288C234 254 222 210 220 163Z'), {
    fill: 'rib',
    light: 'shade',
    turn: 3,
  });
  sheet.seam(at('M252 292C238 330 226 360 206 393M309 316C288 326 272 352 270 385'));
  if (near)
    sheet.stitch(
      at(
        'M215 164C217 214 232 262 254 297C273 258 281 210 279 161M247 300C232 334 220 362 200 394M306 322C288 332 277 356 275 384',
      ),
    );
  sheet.piece(at(LOOP), { light: 'none' });
  bottom(sheet, at, '#b08d5c');
}

type Make = (sheet: Sheet, at: Place, front: boolean) => void;

/** The far boot stands behind the near one, and a step ahead of it on the table. */
function pair(sheet: Sheet, make: Make): void {
  make(sheet, (d) => shift(d, 50, -50), false);
  make(sheet, (d) => shift(d, -6, -6), true);
}

export const laceBoots = (sheet: Sheet): void => pair(sheet, laceUp);
export const chelseaBoots = (sheet: Sheet): void => pair(sheet, chelsea);
