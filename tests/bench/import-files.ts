/** Writes the files that the import bench reads. A page's file field takes files on disk only. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { csvLine } from '../../src/csv/write.ts';
import { IMPORT_COLUMNS } from '../../src/csv/columns.ts';
import { generateProducts } from '../../supabase/local/generate.ts';

/** The length of the pieces in which a file is written. */
const PIECE_CHARS = 1 << 20;
/** How many garments are generated. The file repeats them, each time with other stock codes. */
const GARMENTS = 10_000;
/** The line of the quotation mark that is never closed. */
export const UNCLOSED_QUOTE_LINE = 12;

/** Writes rows of about 190 bytes, each for another product. */
export function writeProducts(path: string, rows: number): void {
  const garments = generateProducts(GARMENTS);
  write(path, function* () {
    yield csvLine(IMPORT_COLUMNS);
    for (let row = 0; row < rows; row++) {
      const product = garments[row % GARMENTS]!; // the index is below the length
      const repetition = Math.floor(row / GARMENTS);
      const cells = IMPORT_COLUMNS.map((column) => String(product[column] ?? ''));
      const [code, size, picture, ...others] = cells;
      const link = `https://pictures.shop.example/seasons/autumn-and-winter/${repetition}${picture}`;
      yield csvLine([`${code}-${repetition}`, size ?? '', link, ...others]);
    }
  });
}

/** Writes `bytes` of rows. A quotation mark on UNCLOSED_QUOTE_LINE is never closed. */
export function writeUnclosedQuote(path: string, bytes: number): void {
  write(path, function* () {
    const header = 'SKC,Size,Category 1,Retail Price\n';
    yield header;
    let written = header.length;
    for (let line = 2; written < bytes; line++) {
      const text = `CODE-${line},M,${nameOnLine(line)},12.50\n`;
      yield text;
      written += text.length;
    }
  });
}

/** The lines after the unclosed mark have no quotation mark, because it would close the field. */
function nameOnLine(line: number): string {
  if (line === UNCLOSED_QUOTE_LINE) return '"Shirt, long';
  const isBefore = line < UNCLOSED_QUOTE_LINE;
  return isBefore
    ? '"Shirt with long sleeves, as last year"'
    : 'Shirt with long sleeves as last year';
}

function write(path: string, linesOf: () => Generator<string>): void {
  const file = openSync(path, 'w');
  let piece = '';
  for (const line of linesOf()) {
    piece += line;
    if (piece.length < PIECE_CHARS) continue;
    writeSync(file, piece);
    piece = '';
  }
  writeSync(file, piece);
  closeSync(file);
}
