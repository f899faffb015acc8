/** Fills a database with as many shoppers and orders as a large shop has after years. */
import { Client } from 'pg';

export interface ShopSize {
  readonly products: number;
  readonly shoppers: number;
  readonly orders: number;
}

/** How many lines the first shopper's cart has; each other cart has one. */
export const LARGE_CART = 5000;

/** SQL for the ids of the shopper and the phone of number `i`, from 1 on. */
const SHOPPER = `md5(i::text)::uuid`;
const PHONE = `md5('phone ' || i)::uuid`;

/**
 * Each shopper has a cart line, a favourite, a phone, and a change that it has pushed; the last `orders` shoppers
 * have an order. Triggers and foreign keys do not run.
 *
 * @param url of a database with the shop's schema, as superuser
 */
export async function fillShop(
  url: string,
  { products, shoppers, orders }: ShopSize,
): Promise<void> {
  const client = new Client(url);
  await client.connect();
  const all = `from generate_series(1, ${shoppers}) i`;
  const ordering = `from generate_series(${shoppers - orders + 1}, ${shoppers}) i`;
  const product = `1 + i % ${products}`;
  const order = `md5('order ' || i)::uuid`;
  const statements = [
    `insert into public.products ("SKC", "Category 1", "Retail Price", ver)
     select 'P-' || i, 'Coats', 10, 0 from generate_series(1, ${products}) i`,
    'set session_replication_role = replica',
    `insert into auth.users (id, email) select ${SHOPPER}, i || '@weft.test' ${all}`,
    `insert into public.sync_user (user_id, ver) select ${SHOPPER}, 2 ${all}`,
    `insert into public.cart_items (user_id, product_id, quantity, price_when_added)
     select ${SHOPPER}, ${product}, 1, 10 ${all}`,
    // The first shopper has product 2 already.
    `insert into public.cart_items (user_id, product_id, quantity, price_when_added)
     select md5('1')::uuid, i, 1, 10 from generate_series(3, ${LARGE_CART + 1}) i`,
    `insert into public.favorites (user_id, product_id) select ${SHOPPER}, ${product} ${all}`,
    `insert into public.devices (user_id, device_id) select ${SHOPPER}, ${PHONE} ${all}`,
    `insert into public.push_counts select ${SHOPPER}, now(), 1, now(), 1 ${all}`,
    `insert into public.applied_changes (user_id, change_id, device_id, ver, base_ver, kind, args, outcome, made_at)
     select ${SHOPPER}, md5('change ' || i)::uuid, ${PHONE}, 1, 0, 'cart.add',
       jsonb_build_object('productId', ${product}, 'by', 1), 'applied', now() ${all}`,
    // Of each hundred orders 95 are sent, 2 are to send, 1 is open, 1 waits for a person and 1 was not paid in time.
    `insert into public.orders (id, user_id, email, state, total_minor, mode, address, asked, created_at,
       expires_at, paid_at, sent_at, received_minor, review)
     select ${order}, ${SHOPPER}, i || '@weft.test',
       case i % 100 when 0 then 'pending' when 1 then 'needs_review' when 2 then 'expired' else 'paid' end,
       1000, 'sandbox',
       jsonb_build_object('full_name', 'Buyer Number' || i, 'address_line1', 'a', 'city', 'b', 'state', 'c',
         'postal_code', 'd', 'country', 'US'), '{}',
       t, t + interval '3 hours', case when i % 100 > 2 then t end, case when i % 100 > 4 then t end,
       case when i % 100 in (0, 2) then 0 else 1000 end, case i % 100 when 1 then 'looks odd' end
     ${ordering}, lateral (select now() - (${shoppers} - i) * interval '1 minute' as t) at`,
    `insert into public.order_items (order_id, line, product_id, skc, size, title, unit_minor, quantity)
     select ${order}, 1, ${product}, 'CODE-' || i % 5000, '', 'Coats', 1000, 1 ${ordering}`,
    `insert into public.order_events (order_id, kind, detail) select ${order}, 'placed', '{}' ${ordering}`,
    'vacuum analyze',
  ];
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** The ids of the shopper of this number and of their phone and order, as `fillShop` makes them. */
export async function shopperOf(url: string, number: number) {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query<Readonly<Record<'user' | 'phone' | 'order', string>>>(
    `select ${SHOPPER} as user, ${PHONE} as phone, md5('order ' || i)::uuid as order
     from (select $1::int as i) one`,
    [number],
  );
  await client.end();
  const [row] = rows;
  if (!row) throw new Error('unreachable');
  return row;
}
