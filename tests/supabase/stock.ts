import type { Backend } from '../../supabase/local/backend.ts';

/** Columns of the product file, by their own names. */
export type StockRow = Readonly<Record<string, string | number | null>> & { readonly SKC: string };

/** Puts products into the shop as the server's import does. */
export async function stock(backend: Backend, rows: readonly StockRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 5000) {
    await backend.query('select public.import_products($1::jsonb)', [
      JSON.stringify(rows.slice(at, at + 5000)),
    ]);
  }
}

/** Plain tees `S-000000`, `S-000001`, … in sizes 0, 1, … of one price, for women and men in turns. */
export function numbered(count: number, price = 10): StockRow[] {
  return Array.from({ length: count }, (_, i) => ({
    SKC: `S-${String(i).padStart(6, '0')}`,
    Size: String(i),
    'Category 1': 'Tee',
    'Category 2': i % 2 === 0 ? 'Women' : 'Men',
    'Retail Price': price,
  }));
}
