/** The picture for a product that has none: the hanger it will hang on, in the same light. */
import { BACKDROP, HEIGHT, SHADOW, WIDTH } from './light.ts';

const WIRE =
  'M200 214C200 204 214 202 218 190C222 176 212 164 198 166C188 168 182 176 183 186' +
  'M200 214C190 224 120 262 84 284C70 294 76 308 92 308L308 308C324 308 330 294 316 284C280 262 210 224 200 214';

const stroke = (colour: string, width: number): string =>
  `<use href="#wire" stroke="${colour}" stroke-width="${width}"/>`;

export const hanger = (): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">` +
  `<defs>${BACKDROP.defs}<path id="wire" fill="none" d="${WIRE}"/><g id="all"><use href="#wire"/></g></defs>` +
  `${BACKDROP.body}${SHADOW}<g fill="none" stroke-linecap="round" stroke-linejoin="round">` +
  `${stroke('#8d857a', 4.4)}${stroke('#bdb6aa', 2.8)}${stroke('#d9d3c8', 0.9)}</g></svg>\n`;
