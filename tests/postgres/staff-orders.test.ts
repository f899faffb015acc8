/** How staff read and send orders in a shop that has 500,000 of them: as plans, and many people at once. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orderNumber } from '../../src/domain/order-number.ts';
import { deadlocksOf, withSessions } from './sessions.ts';
import { addAccount, openPostgresShopForFile } from './shop.ts';

const ORDERS = 500_000;
const SHOPPERS = 40;
const MINUTE_MS = 60_000;

const { server, backend } = await openPostgresShopForFile();
const client = new Client(server.url);
/** The plans of all statements since it was emptied, also of those inside functions. */
const plans: string[] = [];
beforeAll(async () => {
  const shoppers = await Promise.all(Array.from({ length: SHOPPERS }, () => addAccount(backend)));
  await client.connect();
  client.on('notice', ({ message = '' }) => plans.push(message));
  // Without the triggers, which write the history of each order.
  await client.query('set session_replication_role = replica');
  // Of each hundred orders 95 are sent, 2 are to send, 1 is open, 1 waits for a person and 1 was not paid in time.
  await client.query(
    `insert into public.orders (id, user_id, email, state, total_minor, mode, address, asked, created_at,
       expires_at, paid_at, sent_at, received_minor, review)
     select gen_random_uuid(), ($2::uuid[])[1 + i % $3], 'buyer' || i || '@weft.test',
       case i % 100 when 0 then 'pending' when 1 then 'needs_review' when 2 then 'expired' else 'paid' end,
       1000, 'live',
       jsonb_build_object('full_name', 'Buyer Number' || i, 'address_line1', 'a', 'city', 'b', 'state', 'c',
         'postal_code', 'd', 'country', 'US'), '{}',
       t, t, case when i % 100 > 2 then t end, case when i % 100 > 4 then t end,
       case when i % 100 between 1 and 1 or i % 100 > 2 then 1000 else 0 end,
       case i % 100 when 1 then 'looks odd' end
     from generate_series(1, $1::int) i, lateral (select now() - i * interval '1 minute' as t) at`,
    [ORDERS, shoppers, SHOPPERS],
  );
  await client.query(
    `insert into public.order_items (order_id, line, product_id, skc, size, title, unit_minor, quantity)
     select id, 1, 1, 'CODE-' || (row_number() over ()) % 5000, 'M', 'A coat', 1000, 1 from public.orders`,
  );
  await client.query('set session_replication_role = origin');
  await client.query('analyze public.orders, public.order_items');
  await client.query(`load 'auto_explain'`);
  await client.query(`set auto_explain.log_min_duration = 0`);
  await client.query(`set auto_explain.log_nested_statements = on`);
  await client.query(`set client_min_messages = log`);
}, 5 * MINUTE_MS);
afterAll(() => client.end());

interface Listed {
  readonly id: string;
  readonly email: string;
  readonly created_at: string;
  readonly paid_at: string;
  readonly sent_at: string;
}

/** The orders that a function answers, and the plans by which it found them. */
async function read(call: string, params: readonly unknown[]) {
  plans.length = 0;
  const { rows } = await client.query<{ found: Listed[] }>(`select public.${call} as found`, [
    ...params,
  ]);
  const text = plans.join('\n');
  expect(text, 'the plans were seen').toContain('on orders');
  return { orders: rows[0]?.found ?? [], plan: text };
}

test.each([
  ['to-send', 'paid_at', 'orders_to_send'],
  ['sent', 'sent_at', 'orders_sent'],
  ['open', 'created_at', 'orders_open'],
  ['person', 'created_at', 'orders_for_person'],
] as const)(
  'fifty of 500,000 orders of the list %s, and the fifty behind them, are read by indexes alone',
  async (list, by, index) => {
    let after: Listed | undefined;
    for (let page = 0; page < 2; page += 1) {
      const { orders, plan } = await read('staff_orders($1, $2, $3, 50)', [
        list,
        after?.[by] ?? null,
        after?.id ?? null,
      ]);
      expect(orders).toHaveLength(50);
      expect(plan).toContain(index);
      expect(plan).not.toMatch(/Seq Scan|Bitmap/);
      after = orders.at(-1);
    }
  },
);

test('an order among 500,000 is found by number, name, email and stock code without reading them all', async () => {
  const { orders } = await read('staff_orders($1, null, null, 50)', ['sent']);
  const [order] = orders;
  const searches = [
    [orderNumber(order!.id), 'orders_pkey'],
    [order!.email.toUpperCase(), 'orders_by_words'],
    ['number7777', 'orders_by_words'],
    ['code-77', 'order_items_by_code'],
  ] as const;
  for (const [text, index] of searches) {
    const { orders: found, plan } = await read('find_orders($1, null, null, 50)', [text]);
    expect(found.length, text).toBeGreaterThan(0);
    expect(plan, text).toContain(index);
    expect(plan, text).not.toContain('Seq Scan');
  }
});

test('twenty people of the staff who send and take back the same orders do not deadlock, and each order is sent once', async () => {
  await client.query('set client_min_messages = warning');
  const { rows } = await client.query<{ id: string }>(
    `select id from public.orders where state = 'paid' and sent_at is null limit 30`,
  );
  const staff = await addAccount(backend);
  await withSessions([server.url, staff, 'service_role'], 20, async (sessions) => {
    const outcomes = await Promise.all(
      sessions.map(async (session, i) => {
        // Each asks for other orders, in another order.
        const ids = rows.filter((_, n) => (n + i) % 3 > 0).toSorted(() => (i % 2 === 0 ? 1 : -1));
        const orders = JSON.stringify(ids.map(({ id }) => ({ id, refunded_minor: 0 })));
        const send = 'select public.mark_orders($1, true, null, null, $2, now())';
        return session.query(send, [orders, staff]).then(
          () => ids.length,
          () => 0,
        );
      }),
    );
    expect(deadlocksOf(sessions)).toBe(0);
    const [sent] = await backend.query(
      `select count(*)::int as events, count(distinct order_id)::int as orders from public.order_events where kind = 'sent'`,
    );
    expect(sent).toEqual({ events: outcomes.reduce((a, b) => a + b, 0), orders: sent?.['events'] });
    expect(sent?.['events']).toBeGreaterThan(0);
  });
});
