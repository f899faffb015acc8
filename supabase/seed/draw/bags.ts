/** Bags. */
import { both, half, lower } from './path.ts';
import type { Sheet } from './sheet.ts';

const HANDLE = 'M200 56C240 56 256 96 258 146L262 232L245 232L241 148C239 106 226 73 200 73';

function crate(x: number, y: number): string {
  return `M${x} ${y}L${x + 13} ${y}L${x + 13} ${y + 16}L${x} ${y + 16}ZM${x} ${y}L${x + 13} ${y + 16}M${x + 13} ${y}L${x} ${y + 16}`;
}

/** A tote: two handles, a stitched hem, a pocket outside. */
export function tote(sheet: Sheet): void {
  sheet.piece(half(lower(HANDLE, -9)), { light: 'shade' });
  sheet.lining(half('M200 190C240 190 280 192 306 198L306 214L200 216'));
  sheet.label(200, 196, 26);
  sheet.piece(
    half('M200 206C240 206 280 204 307 199C312 290 314 380 306 446C270 454 230 456 200 456'),
  );
  sheet.fold('300 230', '282 330', '300 440', 20);
  sheet.fold('250 240', '240 340', '256 450', 14);
  sheet.fold('108 240', '128 340', '112 440', 18);
  sheet.fold('306 440', '260 420', '220 452', 12);
  sheet.fold('94 440', '140 424', '180 452', 12);
  sheet.lift('160 220', '150 320', '160 450', 30);
  sheet.stitch(both('M307 222C280 227 240 229 200 229M309 436C270 444 230 446 200 446'));
  sheet.applied('M150 274L250 273L252 366L149 368Z');
  sheet.stitch('M151 286L251 285M153.5 288L152.5 364L248.5 362L247 287');
  sheet.piece(half(HANDLE));
  sheet.stitch(
    both(
      `M200 61C237 61 251 98 253.5 147L256 212M200 68C231 68 245.5 104 246 148L249 212${crate(247, 213)}`,
    ),
  );
}

/** A boat bag: straps that run under it, and a base in a second colour. */
export function boat(sheet: Sheet): void {
  const trim = sheet.partner.base;
  const strap = half(
    'M200 70C236 70 250 104 252 150L262 454L244 455L236 152C234 118 222 86 200 86',
  );
  sheet.piece(half('M200 61C236 61 250 95 252 141L254 220L238 220L236 143C234 109 222 77 200 77'), {
    fill: trim,
    light: 'shade',
  });
  sheet.lining(half('M200 196C246 196 296 198 330 206L328 222L200 224'));
  sheet.label(200, 202, 26);
  sheet.piece(
    half('M200 216C246 216 298 212 331 206C328 300 318 380 306 446C270 455 230 457 200 457'),
  );
  sheet.fold('322 240', '294 320', '304 380', 20);
  sheet.fold('98 250', '118 320', '104 380', 18);
  sheet.lift('160 230', '150 300', '160 390', 30);
  sheet.stitch(both('M330 228C296 234 246 237 200 237'));
  sheet.applied(
    half('M200 398C250 398 294 394 316 386C313 408 310 428 306 446C270 455 230 457 200 457'),
    { fill: trim, light: 'body' },
  );
  sheet.stitch(both('M314 391C290 398 250 403 200 403'));
  sheet.piece(strap, { fill: trim });
  sheet.stitch(
    both('M200 74C233 74 246 106 248.5 150L258 452M200 82C226 82 237.5 116 239.5 150L248 452'),
  );
}

/** A rucksack with a rolled top, one strap and one pocket. */
export function rucksack(sheet: Sheet): void {
  const hide = '#6b4529';
  sheet.piece('M120 150C96 200 90 300 108 400L126 398C112 300 116 210 138 160Z', {
    light: 'shade',
  });
  sheet.piece('M280 150C304 200 310 300 292 400L274 398C288 300 284 210 262 160Z', {
    light: 'shade',
  });
  sheet.piece(half('M200 70C222 70 228 84 228 114L217 114C217 90 212 80 200 80'), { fill: hide });
  sheet.piece(
    half('M200 112C236 112 262 114 282 122C290 210 292 340 284 430C258 446 228 448 200 448'),
  );
  sheet.fold('280 190', '264 300', '278 424', 18);
  sheet.fold('124 190', '140 300', '126 424', 16);
  sheet.fold('150 176', '200 196', '254 176', 14);
  sheet.lift('150 190', '140 280', '146 420', 24);
  sheet.applied('M134 300L266 298L270 420C240 432 160 432 130 422Z');
  sheet.stitch('M135 314L267 312M139 316L135 417C165 425 238 425 264 415L262 315');
  sheet.piece(
    half('M200 104C238 104 270 108 286 116C290 130 289 146 285 156C260 164 230 166 200 166'),
  );
  sheet.seam('M116 134C150 142 250 142 286 132');
  sheet.fold('116 148', '200 158', '286 146', 9);
  sheet.piece('M192 104L208 104L210 296L190 296Z', { fill: hide });
  sheet.stitch('M194.5 108L193 292M205.5 108L207 292', '#d6a872');
  sheet.line('M187 236L213 236L213 258L187 258L187 236', '#3a2a1c', 4.6);
  sheet.line('M187 236L213 236L213 258L187 258L187 236M200 238L200 257', '#c9a45e', 2.8);
  sheet.patch('M199 272L201 272L201 274L199 274ZM199 282L201 282L201 284L199 284Z', '#2a1c10');
}
