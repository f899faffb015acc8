import type { WeftDatabase } from '../../db/database.ts';
import { csvLine, escapeCell } from '../../csv/write.ts';
import { IMPORT_COLUMNS } from '../../csv/columns.ts';
import { compareKeys, keyOf, type ProductKey, type ProductRow } from '../../domain/product.ts';
import { CsvBlob } from './csv-blob.ts';
import { readProducts, valuesOf } from './device-catalogue.ts';

/**
 * The catalogue on this device as a product file, by stock code as the shop sorts. Importing the file changes
 * nothing; in an empty shop it makes the same table, whose export is the same file.
 */
export async function exportCatalogue(db: WeftDatabase): Promise<Blob> {
  const products: { readonly key: ProductKey; readonly line: string }[] = [];
  await readProducts(db, (row, line) => products.push({ key: keyOf(row), line }));
  products.sort((a, b) => compareKeys(a.key, b.key));
  const csv = new CsvBlob();
  csv.add(csvLine(IMPORT_COLUMNS));
  // Rows stay text until they are written, because a parsed row takes several times the memory.
  for (const { line } of products) {
    csv.add(csvLine(valuesOf(JSON.parse(line) as ProductRow).map(escapeCell)));
  }
  return csv.end();
}
