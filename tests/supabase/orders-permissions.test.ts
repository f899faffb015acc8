/** Who reads orders, and which changes of a stored order the database rejects. */
import { describe, expect, test } from 'vitest';
import { ORDER_SELECT, parseOrder } from '../../src/domain/order.ts';
import { Buyer, HOME } from './buyer.ts';
import { openShopForFile } from './shop-for-file.ts';
import { addShopper, sell } from './shoppers.ts';

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');
const eve = await addShopper(shop, 'eve');
const { COAT: coat, HAT: hat } = await sell(shop, { COAT: 129.5, HAT: 20 });
const COAT_CENTS = 12_950;
const HAT_CENTS = 2000;
const TOTAL = 2 * COAT_CENTS + HAT_CENTS;
const buyer = new Buyer(shop.backend, ada.id);
const order = await buyer.place({ [hat]: 1, [coat]: 2 });
await buyer.openAttempt(order, 'stripe', 'cs_1');
await buyer.applyPayment(order, {});
await buyer.applyReversal({ amountMinor: 100 });

test.each(['orders', 'order_items'])('a shopper reads only their own rows of %s', async (table) => {
  const stored = await shop.backend.query(`select from public.${table}`);
  expect((await ada.client.from(table).select()).data).toHaveLength(stored.length);
  expect((await eve.client.from(table).select()).data).toEqual([]);
});

test('a shopper reads their orders with their lines', async () => {
  const { data } = await ada.client.from('orders').select(ORDER_SELECT).order('created_at');
  const untitled = { size: '', title: 'Untitled', material: null, picture: null };
  expect(data?.map(parseOrder)).toEqual([
    {
      id: order.id,
      state: 'paid',
      totalMinor: TOTAL,
      mode: 'sandbox',
      address: HOME,
      createdAt: buyer.now.toISOString(),
      paidAt: buyer.now.toISOString(),
      receivedMinor: TOTAL,
      refundedMinor: 100,
      disputedMinor: 0,
      dispute: null,
      sentAt: null,
      carrier: null,
      trackingUrl: null,
      lines: [
        { ...untitled, productId: coat, skc: 'COAT', unitMinor: COAT_CENTS, quantity: 2 },
        { ...untitled, productId: hat, skc: 'HAT', unitMinor: HAT_CENTS, quantity: 1 },
      ],
    },
  ]);
});

describe('even the database’s owner cannot', () => {
  test.each([
    ['update public.orders set total_minor = 1', 'not changed'],
    [`update public.orders set state = 'pending', paid_at = null`, 'does not become'],
    [`update public.orders set carrier = 'DHL'`, 'check'],
    [`update public.orders set sent_at = now(), tracking_url = 'http://a.example'`, 'check'],
    ['delete from public.orders', 'never changed'],
    ['update public.order_items set unit_minor = 0', 'never changed'],
    ['update public.order_events set at = now()', 'never changed'],
    [`update public.payment_events set result = 'paid'`, 'never changed'],
    [`update public.payment_attempts set reference = 'cs_2'`, 'keeps what is known'],
    [`update public.payment_attempts set state = 'open'`, 'keeps what is known'],
    ['delete from public.payment_attempts', 'keeps what is known'],
  ])('run: %s', async (statement, sentence) => {
    await expect(shop.backend.query(statement)).rejects.toThrow(sentence);
  });

  test('insert an order that is already paid', async () => {
    const copy = shop.backend.query(
      `insert into public.orders
         select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid()))).*
         from public.orders o`,
    );
    await expect(copy).rejects.toThrow('begins unpaid');
  });
});
