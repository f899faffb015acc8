/** All pictures of the sample catalogue, by file name. Pure: `main.ts` does the writing. */
import { GARMENTS } from '../garments.ts';
import type { DyeName } from './dyes.ts';
import { hanger } from './hanger.ts';
import { Sheet } from './sheet.ts';
import { STYLES, type Style, type StyleName } from './styles.ts';

export const pictureName = (style: StyleName, dye: DyeName): string => `${style}-${dye}.svg`;

function drawPicture(name: StyleName, dye: DyeName): string {
  const { draw, fabric }: Style = STYLES[name];
  const sheet = new Sheet(pictureName(name, dye), { fabric, dye });
  draw(sheet);
  return sheet.svg();
}

/** File name to SVG text, one for every style in every dye it is sold in, and the fallback. */
export function pictures(): ReadonlyMap<string, string> {
  const files = new Map<string, string>([['none.svg', hanger()]]);
  for (const { style, dyes } of GARMENTS) {
    for (const dye of dyes) files.set(pictureName(style, dye), drawPicture(style, dye));
  }
  return files;
}
