/** Products of the catalogue for tests, and an index of them. */
import { encodeChunk } from '../../src/domain/catalogue-chunk.ts';
import { CatalogueIndex } from '../../src/domain/catalogue-index.ts';
import { PRODUCT_COLUMNS, type ProductRow } from '../../src/domain/product.ts';

type Values = Partial<Record<(typeof PRODUCT_COLUMNS)[number], string | number | null>>;

/** A product without a size; other columns that are not given are blank. */
export function productRow(id: number, skc: string, others: Values = {}): ProductRow {
  const values: Values = { id, SKC: skc, Size: '', ...others };
  // The order of PRODUCT_COLUMNS is that of a ProductRow.
  return PRODUCT_COLUMNS.map((column) => values[column] ?? null) as unknown as ProductRow;
}

export function indexOf(...rows: readonly ProductRow[]): CatalogueIndex {
  const index = new CatalogueIndex();
  index.apply(encodeChunk(rows));
  return index;
}
