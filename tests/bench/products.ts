import { PRODUCT_COLUMNS, type ProductRow } from '../../src/domain/product.ts';
import { generateProducts } from '../../supabase/local/generate.ts';

/**
 * Generated products in the form in which a phone receives them, with ids from 1 as the database would
 * assign.
 */
export function generateRows(count: number): ProductRow[] {
  return generateProducts(count).map((product, i) => {
    const cells = { ...product, id: i + 1, Size: product.Size ?? '' };
    const row = PRODUCT_COLUMNS.map((column) => cells[column] ?? null);
    return row as unknown as ProductRow; // in the order of the columns
  });
}
