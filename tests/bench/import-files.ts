/** The files that the import bench reads. Written to disk: a browser opens a file, not a string. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { csvLine } from '../../src/csv/write.ts';
import { IMPORT_COLUMNS } from '../../src/csv/columns.ts';
import { generateProducts } from '../../supabase/local/generate.ts';

const PIECE_CHARS = 1 << 20;
/** So many different garments, again and again under other stock codes. */
const PATTERN = 10_000;

/** Rows of about 190 bytes, no two of one product. */
export function writeProducts(path: string, rows: number): void {
  const pattern = generateProducts(PATTERN);
  write(path, function* () {
    yield csvLine(IMPORT_COLUMNS);
    for (let row = 0; row < rows; row++) {
      const product = pattern[row % PATTERN]!; // of so many
      const lap = Math.floor(row / PATTERN);
      const cells = IMPORT_COLUMNS.map((column) => String(product[column] ?? ''));
      cells[0] = `${cells[0]}-${lap}`;
      cells[2] = `https://pictures.shop.example/seasons/autumn-and-winter/${lap}${cells[2]}`;
      yield csvLine(cells);
    }
  });
}

/** `bytes` of rows, and on line 12 a quotation mark that nothing closes. */
export function writeUnclosedQuote(path: string, bytes: number): void {
  write(path, function* () {
    const header = 'SKC,Size,Category 1,Retail Price\n';
    yield header;
    let written = header.length;
    for (let line = 2; written < bytes; line++) {
      const name = line === 12 ? '"Shirt, long' : 'Shirt with long sleeves, as last year';
      const text = `CODE-${line},M,${line === 12 ? name : `"${name}"`},12.50\n`;
      // Below it no mark that could close it by chance.
      yield line > 12 ? text.replaceAll('"', '').replace(', as', ' as') : text;
      written += text.length;
    }
  });
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
