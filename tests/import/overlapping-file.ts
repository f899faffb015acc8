/** A file of 20,000 rows, and the products in the shop before it is imported, with which it overlaps. */
import { csvLine } from '../../src/csv/write.ts';
import { IMPORT_COLUMNS } from '../../src/csv/columns.ts';
import { generateProducts } from '../../supabase/local/generate.ts';
import type { ImportRow } from '../../supabase/local/sample.ts';

/** How many rows of the file add a product, change one, and leave one as it is. */
const ADDED = 7000;
const CHANGED = 4000;
const UNCHANGED = 8000;
/** How many rows a later row of the same product replaces, and how many are rejected. */
const REPLACED = 600;
const REJECTED = 400;

/** A long address makes the file large enough for about eight parts. */
const FOLDER = `https://pictures.shop.example/${'seasons/autumn-and-winter/'.repeat(10)}`;

const PRODUCTS = generateProducts(ADDED + CHANGED + UNCHANGED).map((row) => ({
  ...row,
  'Images link': row['Images link'] === null ? null : `${FOLDER}${row['Images link']}`,
}));

/** What the import does to a product: of each 19 it adds 7 and changes 4, so every part has all kinds. */
function effectOn(product: number): 'added' | 'changed' | 'unchanged' {
  const remainder = product % 19;
  if (remainder < 7) return 'added';
  return remainder < 11 ? 'changed' : 'unchanged';
}

/** The products before the import: the unchanged ones, and those that it changes, with other materials. */
export function productsBefore(): ImportRow[] {
  return PRODUCTS.flatMap((row, i) => {
    if (effectOn(i) === 'added') return [];
    return effectOn(i) === 'changed' ? [{ ...row, Material: `Wool of lot ${i}` }] : [row];
  });
}

/** One of so many products also has an earlier row, which is replaced. */
const REPLACED_EVERY = Math.floor(PRODUCTS.length / REPLACED);
/** One of so many products also has another row, which is rejected. */
const REJECTED_EVERY = Math.floor(PRODUCTS.length / REJECTED);
/** How many products earlier a replaced row stands, at most: in another part, or in the same. */
const EARLIER = [9000, 3, 1] as const;

/** The text of the file. */
export function overlappingFile(): string {
  const lines = PRODUCTS.map((row) => [lineOf(row)]);
  for (let i = 0; i < REPLACED; i += 1) {
    const product = (i + 1) * REPLACED_EVERY - 1;
    const earlier = EARLIER[i % EARLIER.length] ?? 1;
    const line = lineOf({ ...PRODUCTS[product], 'Retail Price': '1.25' });
    lines[Math.max(0, product - earlier)]?.push(line);
  }
  for (let i = 0; i < REJECTED; i += 1) {
    const product = i * REJECTED_EVERY;
    const row = PRODUCTS[product];
    const rejected = i % 2 === 0 ? { ...row, SKC: '' } : { ...row, 'Retail Price': 'on request' };
    lines[product]?.push(lineOf(rejected));
  }
  return [csvLine(IMPORT_COLUMNS), ...lines.flat()].join('');
}

function lineOf(row: ImportRow): string {
  return csvLine(IMPORT_COLUMNS.map((column) => String(row[column] ?? '')));
}
