/** What the server stores of the shopper with an email address. */
import type { Backend } from '../../supabase/local/backend.ts';

type Queries = Pick<Backend, 'query'>;

/** The cart: quantities by stock code. */
export async function cartOf(backend: Queries, email: string): Promise<Record<string, number>> {
  const rows = await backend.query(
    `select p."SKC" as skc, c.quantity from public.cart_items c
     join public.products p on p.id = c.product_id
     join auth.users u on u.id = c.user_id where u.email = $1`,
    [email],
  );
  return Object.fromEntries(rows.map((row) => [row['skc'], row['quantity']]));
}

/** The stock codes of the favourites, sorted. */
export async function favouritesOf(backend: Queries, email: string): Promise<unknown[]> {
  const rows = await backend.query(
    `select p."SKC" as skc from public.favorites f join public.products p on p.id = f.product_id
     join auth.users u on u.id = f.user_id where u.email = $1 order by 1`,
    [email],
  );
  return rows.map((row) => row['skc']);
}

/** The orders, the oldest first; their totals are in cents. */
export function ordersOf(backend: Queries, email: string) {
  return backend.query(
    `select o.id, o.state, o.total_minor::int as total from public.orders o
     join auth.users u on u.id = o.user_id where u.email = $1 order by o.created_at`,
    [email],
  );
}
