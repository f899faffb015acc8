import { PRODUCT_COLUMNS, type ProductRow } from '../../domain/product.ts';
import type { StaffProduct, ValueColumn } from '../../remote/products-by-hand.ts';

/** The fields that staff change, in the order of the page. */
export const FIELDS: readonly { readonly column: ValueColumn; readonly label: string }[] = [
  { column: 'Retail Price', label: 'Price in dollars' },
  { column: 'Category 1', label: 'Category 1 (the title)' },
  { column: 'Category 2', label: 'Category 2' },
  { column: 'Category 3', label: 'Category 3' },
  { column: 'Category 4', label: 'Category 4' },
  { column: 'Material', label: 'Material' },
  { column: 'Fabric Composition', label: 'Composition' },
  { column: 'Images link', label: 'Picture link' },
];

/** A value as people type it; '' for none. */
export function textOf(row: ProductRow, column: ValueColumn): string {
  const value = row[PRODUCT_COLUMNS.indexOf(column)];
  return typeof value === 'number' ? value.toFixed(2) : (value ?? '');
}

/** The values of a field in several sizes, each once. */
export function textsOf(products: readonly StaffProduct[], column: ValueColumn): string[] {
  return [...new Set(products.map(({ row }) => textOf(row, column)))];
}

export function sizeWords({ row }: StaffProduct): string {
  return row[2] === '' ? 'One size' : `Size ${row[2]}`;
}

/** For the middle of a sentence: `size S`, `all 4 sizes`. */
export function inSentence(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}

/** What is different now, in a sentence for each difference, with the sizes that have it. */
export function changesBetween(
  before: readonly StaffProduct[],
  now: readonly StaffProduct[],
): string[] {
  const sizes = new Map<string, string[]>();
  const note = (words: string, product: StaffProduct) =>
    sizes.set(words, [...(sizes.get(words) ?? []), sizeWords(product)]);
  for (const product of now) {
    const was = before.find(({ row }) => row[0] === product.row[0]);
    if (!was) note('Added', product);
    else if (was.isOffSale !== product.isOffSale) {
      note(product.isOffSale ? 'Hidden' : 'Back in the shop', product);
    }
    for (const { column, label } of was ? FIELDS : []) {
      const [from, to] = [was, product].map((each) => each && textOf(each.row, column));
      if (from !== to) note(`${label} changed from “${from}” to “${to}”`, product);
    }
  }
  for (const was of before) {
    if (!now.some(({ row }) => row[0] === was.row[0])) note('Removed', was);
  }
  return [...sizes].map(([words, of]) => `${words}: ${of.join(', ')}.`);
}

/** A key that differs when a product was added, removed or changed. */
export function versionsOf(products: readonly StaffProduct[]): string {
  return products.map(({ row, ver }) => `${row[0]}:${ver}`).join();
}
