/** Scarves: one folded on the table, one hung from a peg. */
import type { Point } from './path.ts';
import type { Sheet } from './sheet.ts';

/** Twisted fringe along an edge from `a` to `b`. */
function fringe(sheet: Sheet, a: Point, b: Point, count: number, long: number, lean: number): void {
  let d = '';
  for (let i = 0; i < count; i += 1) {
    const share = (i + 0.5) / count;
    const [x, y] = [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
    const sway = lean + ((i * 7) % 5) - 2;
    d += `M${x} ${y}Q${x + sway * 0.2} ${y + long * 0.6} ${x + sway} ${y + long + ((i * 3) % 4)}`;
  }
  sheet.line(d, sheet.shades.line, 4.2);
  sheet.line(d, sheet.shades.base, 2.8);
}

export function folded(sheet: Sheet): void {
  fringe(sheet, [112, 418], [300, 410], 20, 30, 3);
  sheet.piece(
    'M106 96L300 88C306 200 306 310 302 410C240 420 170 422 110 420C100 310 100 200 106 96Z',
    { light: 'shade', turn: 1 },
  );
  fringe(sheet, [104, 376], [296, 370], 20, 30, -2);
  sheet.piece(
    'M98 92C96 80 104 74 116 74L284 68C296 68 300 74 300 84C304 180 302 280 298 372C230 380 160 382 102 378C96 280 94 190 98 92Z',
    { turn: -1 },
  );
  sheet.fold('112 110', '108 240', '116 372', 12);
  sheet.fold('286 90', '276 220', '286 366', 18);
  sheet.fold('230 120', '216 240', '228 376', 12);
  sheet.lift('160 90', '146 220', '160 372', 40);
  sheet.fold('100 90', '200 100', '298 82', 10);
  sheet.label(256, 350, 30);
}

/** Hung the way it is worn: round the neck, the ends down the front. */
export function hung(sheet: Sheet): void {
  sheet.lining('M142 116C150 62 250 62 258 116L246 136C232 108 168 108 154 136Z');
  fringe(sheet, [218, 408], [284, 402], 10, 30, 3);
  sheet.piece(
    'M254 96C278 106 288 138 282 178C274 240 280 330 290 402C266 410 240 412 214 410C210 340 206 260 208 214C210 176 232 150 244 132C250 120 252 108 254 96Z',
    { turn: -3, light: 'tube' },
  );
  sheet.fold('256 112', '262 170', '222 214', 14);
  sheet.fold('272 130', '262 260', '274 406', 16);
  sheet.fold('222 220', '232 300', '226 408', 10);
  fringe(sheet, [112, 430], [184, 436], 11, 30, -2);
  sheet.piece(
    'M146 96C122 106 112 138 118 178C126 240 118 340 108 428C134 436 160 438 188 436C192 360 194 270 192 216C190 178 168 150 156 132C150 120 148 108 146 96Z',
    { turn: 3, light: 'tube' },
  );
  sheet.fold('146 112', '140 170', '180 216', 14);
  sheet.fold('130 130', '142 270', '126 430', 16);
  sheet.fold('178 224', '168 320', '172 434', 10);
  sheet.lift('160 170', '150 290', '150 432', 20);
}
