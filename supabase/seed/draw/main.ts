/** Writes `public/pictures` and the catalogue that shows them: `node supabase/seed/draw/main.ts`. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { catalogueCsv, rows } from '../catalogue.ts';
import { pictures } from './pictures.ts';

const folder = new URL('../../../public/pictures/', import.meta.url);

const files = pictures();
await mkdir(folder, { recursive: true });
for (const name of await readdir(folder)) {
  if (!files.has(name)) await rm(new URL(name, folder));
}
let bytes = 0;
for (const [name, svg] of files) {
  await writeFile(new URL(name, folder), svg);
  bytes += Buffer.byteLength(svg);
}
await writeFile(new URL('../catalogue.csv', import.meta.url), catalogueCsv());
console.log(`${files.size} pictures, ${Math.round(bytes / 1024)} kB, in public/pictures`);
console.log(`${rows().length} products in supabase/seed/catalogue.csv`);
