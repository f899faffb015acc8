/** Products in large numbers, as a product file lists them. */
import type { Backend } from '../../supabase/local/backend.ts';

/** A product's columns by their names in the product file. */
export type StockRow = Readonly<Record<string, string | number | null>> & { readonly SKC: string };

/**
 * Puts products into the shop, a few thousand at a time, without the record of an import. `importRows` of
 * `supabase/local/sample.ts` makes such a record.
 */
export async function stock(backend: Backend, rows: readonly StockRow[]): Promise<void> {
  for (let offset = 0; offset < rows.length; offset += 5000) {
    await backend.query('select public.import_products($1::jsonb)', [
      JSON.stringify(rows.slice(offset, offset + 5000)),
    ]);
  }
}

/**
 * Tees with the codes `S-000000`, `S-000001`, … and the sizes 0, 1, …, alternately for women and men.
 *
 * @param price in dollars, as in a product file
 */
export function numbered(count: number, price = 10): StockRow[] {
  return Array.from({ length: count }, (_, i) => ({
    SKC: `S-${String(i).padStart(6, '0')}`,
    Size: String(i),
    'Category 1': 'Tee',
    'Category 2': i % 2 === 0 ? 'Women' : 'Men',
    'Retail Price': price,
  }));
}
