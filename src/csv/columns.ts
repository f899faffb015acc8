import { PRODUCT_COLUMNS } from '../domain/product.ts';

/** The columns of a product file: those of the table of products without the id, in its order. */
export const [, ...IMPORT_COLUMNS] = PRODUCT_COLUMNS;

export type ImportColumn = (typeof IMPORT_COLUMNS)[number];

/** The first two columns, stock code (SKC) and size, identify a product. */
export const KEY_COLUMNS = 2;

/**
 * Whether all headings of a row are the shop's own column names, as in its exports, its template, the parts
 * of an import and files of mended rows. A file that begins with such a row is read by these names alone.
 * No later row is taken for its headings, even if its cells read like headings.
 */
export function areOwnHeadings(cells: readonly string[]): boolean {
  const own: readonly string[] = IMPORT_COLUMNS;
  const names = cells.map((cell) => cell.trim()).filter((name) => name !== '');
  const areDistinct = new Set(names).size === names.length;
  return areDistinct && names.includes('SKC') && names.every((name) => own.includes(name));
}

/** Limits of one file; the import page shows them. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;
export const MAX_ROWS = 250_000;
export const MAX_COLUMNS = 200;
/** Characters (UTF-16 units) of one row: a description may hold a picture. */
export const MAX_RECORD_CHARS = 4 * 1024 * 1024;

/** The most characters of a stored value. The database has the same limit for `SKC`. */
export const TEXT_LIMITS: Readonly<Record<Exclude<ImportColumn, 'Retail Price'>, number>> = {
  SKC: 64,
  Size: 32,
  'Images link': 2048,
  'Category 1': 120,
  'Category 2': 120,
  'Category 3': 120,
  'Category 4': 120,
  Material: 500,
  'Fabric Composition': 500,
};
