/** A file of 20,000 rows, and the products that are in the shop before it comes. */
import { csvLine } from '../../src/csv/write.ts';
import { IMPORT_COLUMNS } from '../../src/csv/columns.ts';
import { generateProducts } from '../../supabase/local/generate.ts';
import type { ImportRow } from '../../supabase/local/sample.ts';

/** Lines of the file, by what comes of them. Each product of the file is met once here. */
const ADDED = 7000;
const CHANGED = 4000;
const UNCHANGED = 8000;
/** A later row of the same product stands in for each of them. */
const REPLACED = 600;
const REFUSED = 400;

/** So that the file has eight parts or so, and an import a middle. */
const FOLDER = `https://pictures.shop.example/${'seasons/autumn-and-winter/'.repeat(10)}`;

const PRODUCTS = generateProducts(ADDED + CHANGED + UNCHANGED).map((row) => ({
  ...row,
  'Images link': row['Images link'] === null ? null : `${FOLDER}${row['Images link']}`,
}));

/** What becomes of a product: the three kinds lie mixed over the whole file. */
function fateOf(product: number): 'added' | 'changed' | 'unchanged' {
  const remainder = product % 19;
  if (remainder < 7) return 'added';
  return remainder < 11 ? 'changed' : 'unchanged';
}

export function productsBefore(): ImportRow[] {
  return PRODUCTS.flatMap((row, i) => {
    if (fateOf(i) === 'added') return [];
    return fateOf(i) === 'changed' ? [{ ...row, Material: `Wool of lot ${i}` }] : [row];
  });
}

/** Every so many products one that comes twice, the first time with another price. */
const REPLACED_EVERY = Math.floor(PRODUCTS.length / REPLACED);
const REFUSED_EVERY = Math.floor(PRODUCTS.length / REFUSED);
/** How much earlier a row stands that is replaced: many parts, or few rows. */
const EARLIER = [9000, 3, 1] as const;

export function overlappingFile(): string {
  const lines = PRODUCTS.map((row) => [lineOf(row)]);
  for (let i = 0; i < REPLACED; i += 1) {
    const product = (i + 1) * REPLACED_EVERY - 1;
    const earlier = EARLIER[i % EARLIER.length] ?? 1;
    const line = lineOf({ ...PRODUCTS[product], 'Retail Price': '1.25' });
    lines[Math.max(0, product - earlier)]?.push(line);
  }
  for (let i = 0; i < REFUSED; i += 1) {
    const product = i * REFUSED_EVERY;
    const row = PRODUCTS[product];
    const bad = i % 2 === 0 ? { ...row, SKC: '' } : { ...row, 'Retail Price': 'on request' };
    lines[product]?.push(lineOf(bad));
  }
  return [csvLine(IMPORT_COLUMNS), ...lines.flat()].join('');
}

function lineOf(row: ImportRow): string {
  return csvLine(IMPORT_COLUMNS.map((column) => String(row[column] ?? '')));
}
