/**
 * The shop's two faces, each of one weight: another weight would be 10 kB more on each phone. npm has the whole
 * fonts; the build keeps only the characters that the shop needs, kerning, and figures of equal width.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

/** The folder of the subset faces, relative to the project's root. `src/ui/faces.css` and `index.html` name it. */
const FOLDER = '.cache/faces';

/** The file of each subset face, and the file in a package of its whole font. */
export const FACES = {
  'archivo.woff2': '@expo-google-fonts/archivo/400Regular/Archivo_400Regular.ttf',
  'archivo-narrow.woff2':
    '@expo-google-fonts/archivo-narrow/600SemiBold/ArchivoNarrow_600SemiBold.ttf',
} as const;

/** First and last code point of each range that the faces have. */
const RANGES = [
  // ASCII.
  [0x20, 0x7e],
  // Latin-1: all letters, and the signs that a shop uses.
  [0xa0, 0xa3],
  [0xa5, 0xa5],
  [0xa7, 0xa7],
  [0xa9, 0xa9],
  [0xab, 0xab],
  [0xae, 0xae],
  [0xb0, 0xb0],
  [0xb7, 0xb7],
  [0xbb, 0xf6],
  [0xf8, 0xff],
  // Latin Extended-A without letters that no European language writes any more.
  [0x100, 0x131],
  [0x134, 0x137],
  [0x139, 0x13e],
  [0x141, 0x148],
  [0x14a, 0x17e],
  // Romanian.
  [0x218, 0x21b],
  // The capital letter ẞ.
  [0x1e9e, 0x1e9e],
] as const;

const PUNCTUATION = '–—‘’‚“”„•…‹›€−';

/** All characters that the faces have. */
export const FACE_CHARACTERS =
  RANGES.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)),
  ).join('') + PUNCTUATION;

/** Ids in a font's table of names: copyright, licence, and the licence's address. */
const LEGAL_NAMES = [0, 13, 14];

/** Makes the subset of a font. @param font the path of a file in a package */
export function subsetFace(font: string): Promise<Buffer> {
  const file = createRequire(import.meta.url).resolve(font);
  return subsetFont(readFileSync(file), FACE_CHARACTERS, {
    targetFormat: 'woff2',
    keepFeatures: ['kern', 'tnum'],
    noHinting: true,
    preserveNameIds: LEGAL_NAMES,
  });
}

/** Writes the subset faces when the build starts, before a stylesheet or `index.html` is read. */
export function faces(root: string): Plugin {
  return {
    name: 'faces',
    async buildStart() {
      mkdirSync(join(root, FOLDER), { recursive: true });
      await Promise.all(
        Object.entries(FACES).map(async ([name, font]) => {
          const file = join(root, FOLDER, name);
          // In one step, because another build may be reading the file.
          const unfinished = `${file}.${process.pid}`;
          writeFileSync(unfinished, await subsetFace(font));
          renameSync(unfinished, file);
        }),
      );
    },
  };
}
