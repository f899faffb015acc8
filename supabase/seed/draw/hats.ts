/** What goes on the head. */
import { half } from './path.ts';
import type { Sheet } from './sheet.ts';

/** Six panels, a stitched brim, seen from the side with the brim to the window. */
export function sixPanel(sheet: Sheet): void {
  sheet.lining('M112 300C150 318 260 322 330 296L326 312C260 334 150 330 116 314Z');
  sheet.piece(
    'M106 304C98 214 134 152 212 146C292 144 338 204 338 300C300 316 250 322 214 322C172 322 134 316 106 304Z',
  );
  sheet.fold('330 240', '318 280', '296 312', 18);
  sheet.fold('150 210', '134 260', '146 306', 14);
  sheet.lift('176 164', '150 200', '156 260', 26);
  sheet.seam(
    'M214 147C174 176 158 250 166 320M214 147C262 170 284 240 280 316M214 147C150 160 122 210 112 262',
  );
  sheet.stitch(
    'M210 149C170 178 154 250 161 318M218 149C178 178 163 250 171 320M210 149C258 170 279 240 275 316M218 148C267 170 289 240 285 315',
  );
  sheet.stitch('M107 294C150 314 270 320 338 290');
  sheet.patch(
    'M190 206Q193 202 196 206Q196 211 192 211Q189 210 190 206ZM246 204Q249 200 252 204Q253 209 249 209Q246 208 246 204ZM139 226Q142 222 144 226Q144 231 141 231Q138 230 139 226Z',
    sheet.shades.line,
  );
  sheet.piece('M203 147C204 139 224 139 225 147C222 152 206 152 203 147Z');
  sheet.piece(
    'M104 296C70 304 40 328 34 352C32 362 40 366 52 362C104 346 170 340 226 340C246 338 248 322 228 321C184 322 138 314 104 296Z',
  );
  const row = (by: number): string =>
    `M${92 - by * 0.6} ${306 + by * 1.05}C${130 - by * 0.3} ${322 + by * 0.6} 180 ${328 + by * 0.4} 232 ${327 + by * 0.35}`;
  sheet.stitch(row(0) + row(9) + row(18) + row(27));
  sheet.patch('M106 300C138 316 184 324 228 323L228 328C184 330 140 326 104 304Z', '#1d1209', 0.2);
}

/** A watch cap: a knitted tube, gathered at the crown and turned up once. */
export function watchCap(sheet: Sheet): void {
  sheet.piece(half('M200 96C264 98 300 160 304 276L304 310L200 316'), { light: 'body' });
  sheet.line(
    'M200 100C170 120 140 190 132 276M200 100C186 130 172 200 168 276M200 100C204 140 206 210 206 276M200 100C220 130 238 200 242 276M200 100C236 118 266 190 274 276',
    sheet.shades.line,
    1.6,
  );
  sheet.fold('292 180', '270 200', '252 190', 12);
  sheet.fold('120 200', '146 214', '170 200', 12);
  sheet.fold('220 104', '200 120', '184 102', 8);
  sheet.patch(
    half('M200 272C240 272 284 268 308 262L308 274C284 280 240 284 200 284'),
    '#1d1209',
    0.2,
  );
  sheet.piece(
    half('M200 278C240 278 284 274 308 266C314 300 314 342 307 372C276 384 236 388 200 388'),
    { fill: 'rib' },
  );
  sheet.fold('296 280', '286 330', '296 372', 14);
  sheet.fold('150 282', '158 330', '148 382', 12);
  sheet.label(244, 336, 30);
}

/** A bucket hat: a crown of panels and a brim in rings of stitching. */
export function bucket(sheet: Sheet): void {
  sheet.piece(half('M200 140C236 140 262 146 270 160C280 200 288 240 294 280L200 300'), {
    light: 'body',
  });
  sheet.seam(
    half('M200 152C236 152 260 156 271 166')
      .replace(/L200 152/, '')
      .replace(/Z$/, ''),
  );
  sheet.seam('M200 152L200 284');
  sheet.stitch('M203 154L203 284M197 154L197 284');
  sheet.fold('272 180', '264 230', '276 280', 14);
  sheet.fold('140 190', '152 240', '142 284', 13);
  sheet.piece(
    half('M200 284C240 284 276 280 295 270C316 300 340 334 352 356C310 384 250 390 200 390'),
    { light: 'body' },
  );
  const ring = (t: number): string =>
    `M${105 - 57 * t} ${270 + 86 * t}C${140 - 40 * t} ${286 + 100 * t} 240 ${290 + 104 * t} ${295 + 57 * t} ${270 + 86 * t}`;
  sheet.stitch([0.2, 0.36, 0.52, 0.68, 0.84].map(ring).join(''));
  sheet.fold('300 290', '310 330', '326 366', 16);
  sheet.fold('120 288', '112 330', '98 374', 14);
}
