import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ORDER_SELECT, parseOrder } from '../../src/domain/order.ts';
import { OrderDesk, HOME } from './desk.ts';
import type { TestShop } from './shop.ts';
import { clientOf, openTestShop } from './shop.ts';
import type { Shopper } from './shoppers.ts';
import { addShopper, sell } from './shoppers.ts';

let shop: TestShop;
let ada: Shopper;
let eve: Shopper;
let server: SupabaseClient;
let orderId: string;

beforeAll(async () => {
  shop = await openTestShop();
  [ada, eve] = [await addShopper(shop, 'ada'), await addShopper(shop, 'eve')];
  server = clientOf(shop, shop.backend.secretKey);
  const { COAT = 0, HAT = 0 } = await sell(shop, { COAT: 129.5, HAT: 20 });
  const desk = new OrderDesk(shop.backend, ada.id);
  const order = await desk.place({ [HAT]: 1, [COAT]: 2 });
  await desk.open(order, 'stripe', 'cs_1');
  await desk.tell(order, {});
  await desk.sendBack();
  await desk.orders.beginReads();
  orderId = order.id;
});
afterAll(() => shop.close());

const tables = [
  'orders',
  'order_items',
  'order_events',
  'order_states',
  'payment_attempts',
  'payment_events',
  'payment_reversals',
  'provider_reads',
];
const readable = new Set(['orders', 'order_items']);
const all = (table: string) =>
  shop.backend.query(`select * from public.${table} t order by t::text`);

async function attempts(client: SupabaseClient, table: string) {
  const rows = client.from(table);
  const [row = {}] = await all(table);
  const [column = ''] = Object.keys(row);
  return {
    insert: await rows.insert(row),
    upsert: await rows.upsert(row),
    update: await rows.update({ [column]: row[column] }).not(column, 'is', null),
    delete: await rows.delete().not(column, 'is', null),
  };
}

describe.each(tables)('%s', (table) => {
  test('is written by nobody from outside, not by its shopper and not by the server by hand', async () => {
    const before = await all(table);
    expect(before).not.toEqual([]);
    for (const client of [clientOf(shop), ada.client, eve.client, server]) {
      for (const [what, { error }] of Object.entries(await attempts(client, table))) {
        // 428C9: an id that Postgres gives out itself; it looks at that before it looks at rights.
        expect([what, error?.code]).toEqual([what, expect.stringMatching(/^(42501|428C9)$/)]);
      }
    }
    expect(await all(table)).toEqual(before);
  });

  test('is read by nobody but its shopper, where it is the shopper’s business', async () => {
    expect((await clientOf(shop).from(table).select()).error?.code).toBe('42501');
    const [own, foreign] = [
      await ada.client.from(table).select(),
      await eve.client.from(table).select(),
    ];
    if (readable.has(table)) {
      expect(own.data).toHaveLength((await all(table)).length);
      expect(foreign.data).toEqual([]);
    } else {
      expect([own.error?.code, foreign.error?.code]).toEqual(['42501', '42501']);
    }
    expect((await server.from(table).select()).data).toHaveLength((await all(table)).length);
  });
});

test('a shopper’s orders come with their lines, in the order of the request’s products', async () => {
  const { data } = await ada.client.from('orders').select(ORDER_SELECT).order('created_at');
  expect(data?.map(parseOrder)).toEqual([
    {
      id: orderId,
      state: 'paid',
      totalMinor: 27_900,
      mode: 'sandbox',
      address: HOME,
      createdAt: '2026-11-21T12:00:00.000Z',
      paidAt: '2026-11-21T12:00:00.000Z',
      receivedMinor: 27_900,
      refundedMinor: 100,
      disputedMinor: 0,
      dispute: null,
      lines: [
        {
          productId: expect.any(Number) as number,
          skc: 'COAT',
          size: '',
          title: 'Untitled',
          picture: null,
          unitMinor: 12_950,
          quantity: 2,
        },
        {
          productId: expect.any(Number) as number,
          skc: 'HAT',
          size: '',
          title: 'Untitled',
          picture: null,
          unitMinor: 2_000,
          quantity: 1,
        },
      ],
    },
  ]);
});

test.each([
  [
    'place_order',
    () => ({
      p_user: ada.id,
      p_order: null,
      p_items: [],
      p_address: HOME,
      p_email: '',
      p_shown_total_minor: 0,
      p_mode: 'live',
      p_now: 'now',
    }),
  ],
  [
    'start_attempt',
    () => ({ p_user: ada.id, p_order: orderId, p_provider: 'stripe', p_now: 'now' }),
  ],
  [
    'apply_reversal',
    () => ({
      p_provider: 'stripe',
      p_kind: 'refund',
      p_reversal: 're_2',
      p_payment: 'pi_1',
      p_state: 'done',
      p_amount_minor: 1,
      p_currency: 'USD',
      p_mode: 'sandbox',
      p_said_at: 'now',
    }),
  ],
  ['cancel_own_order', () => ({ p_user: ada.id, p_order: orderId, p_now: 'now' })],
  ['prune_unpaid_orders', () => ({ p_before: '2020-01-01' })],
  ['begin_provider_reads', () => ({ p_now: 'now' })],
  ['end_provider_read', () => ({ p_provider: 'stripe', p_to: 'now' })],
  ['record_reference', () => ({ p_order: orderId, p_number: 1, p_reference: 'cs_2' })],
  ['fail_attempt', () => ({ p_order: orderId, p_number: 1, p_reason: '' })],
  ['may_capture', () => ({ p_user: ada.id, p_reference: 'PP-1', p_now: 'now' })],
  ['release_capture', () => ({ p_order: orderId, p_number: 1, p_since: null })],
  [
    'apply_payment',
    () => ({
      p_provider: 'stripe',
      p_event_id: 'e',
      p_reference: 'cs_1',
      p_order: orderId,
      p_outcome: 'captured',
      p_amount_minor: 27_900,
      p_currency: 'USD',
      p_mode: 'sandbox',
      p_capture_id: 'pi_9',
      p_now: 'now',
    }),
  ],
  ['cancel_order', () => ({ p_order: orderId, p_now: 'now' })],
  ['expire_orders', () => ({ p_now: 'now' })],
  ['close_review', () => ({ p_order: orderId, p_state: 'paid', p_note: '', p_now: 'now' })],
  ['order_for', () => ({ p_user: ada.id, p_order: orderId, p_reference: null, p_now: 'now' })],
  ['attempts_to_ask', () => ({ p_now: 'now', p_limit: 1 })],
  ['order_as_json', () => ({ p_order: orderId })],
])('nobody outside may call %s', async (name, args) => {
  for (const client of [clientOf(shop), ada.client]) {
    expect((await client.rpc(name, args())).error?.code).toMatch(/^(42501|PGRST202)$/);
  }
});

test('nobody outside may call any of the functions around orders', async () => {
  const names = await shop.backend.query(`
    select p.proname::text as name from pg_proc p, unnest(array['anon', 'authenticated']) as role
    where p.pronamespace = 'public'::regnamespace
      and has_function_privilege(role, p.oid, 'execute')`);
  const open = names.map(({ name }) => String(name));
  const words =
    /order|payment|attempt|capture|refuse|review|cart$|wallet|payable|misfit|asked|priced|address/;
  expect(open.filter((name) => words.test(name))).toEqual([]);
});

describe('what happened stays, even against the owner of the database', () => {
  test.each([
    ['update public.orders set total_minor = 1', 'not changed'],
    [`update public.orders set address = address || '{"city":"Evanston"}'`, 'not changed'],
    [`update public.orders set user_id = '00000000-0000-4000-8000-000000000000'`, 'not changed'],
    [`update public.orders set state = 'pending', paid_at = null`, 'does not become'],
    ['delete from public.orders', 'never changed'],
    ['update public.order_items set unit_minor = 0', 'never changed'],
    ['delete from public.order_items', 'never changed'],
    ['update public.order_events set at = now()', 'never changed'],
    ['delete from public.order_events', 'never changed'],
    [`update public.payment_events set result = 'paid'`, 'never changed'],
    ['delete from public.payment_events', 'never changed'],
    [`update public.payment_attempts set reference = 'cs_2'`, 'keeps what is known'],
    [`update public.payment_attempts set state = 'open'`, 'keeps what is known'],
    ['delete from public.payment_attempts', 'keeps what is known'],
  ])('%s', async (statement, sentence) => {
    await expect(shop.backend.query(statement)).rejects.toThrow(sentence);
  });

  test('an order begins unpaid', async () => {
    const copy = shop.backend.query(
      `insert into public.orders select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid()))).* from public.orders o`,
    );
    await expect(copy).rejects.toThrow('begins unpaid');
  });
});

test('an order goes only where the table of states lets it go', async () => {
  const states = await shop.backend.query(
    'select state, next_states from public.order_states order by state',
  );
  const moves = states.map(
    ({ state, next_states }) =>
      `${String(state)} > ${(next_states as string[]).toSorted().join(' ')}`,
  );
  expect(moves).toEqual([
    'cancelled > needs_review paid_late',
    'confirming > failed needs_review paid',
    'expired > needs_review paid_late',
    'failed > needs_review paid_late',
    'needs_review > cancelled paid',
    'paid > ',
    'paid_late > cancelled paid',
    'pending > cancelled confirming expired failed needs_review paid',
  ]);
});
