import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { PlacedOrder } from '../../netlify/lib/orders.ts';
import { addBuyer, HOME, expectRejected } from './buyer.ts';
import { openBackendForFile } from './shop-for-file.ts';
import { sell } from './shoppers.ts';

const backend = await openBackendForFile();
const ada = await addBuyer(backend, 'ada');
const eve = await addBuyer(backend, 'eve');
let coat: number;
let sock: number;

beforeEach(async () => {
  await backend.query('truncate public.products, public.orders cascade');
  ({ COAT: coat, SOCK: sock } = await sell({ backend }, { COAT: 129.5, SOCK: 5 }));
  await ada.putInCart({ [coat]: 1, [sock]: 2 });
});

/** The shopper has paid in a way that takes days. */
async function confirming(): Promise<PlacedOrder> {
  const order = await ada.place({ [coat]: 1, [sock]: 2 });
  await ada.openAttempt(order, 'stripe', 'cs_1');
  await ada.applyPayment(order, { outcome: 'pending' });
  return order;
}

/** The same lines as another device asks for them: named in another order, one of them twice. */
const sameLines = () => ({
  orderId: randomUUID(),
  lines: [
    { product_id: sock, quantity: 1 },
    { product_id: coat, quantity: 1 },
    { product_id: sock, quantity: 1 },
  ],
});
const placeSame = (again = false) => ada.place({}, { ...sameLines(), again });

describe('while a payment is being confirmed', () => {
  test('the same lines are not ordered again unasked, in whichever order they are named', async () => {
    const first = await confirming();
    const refused = await expectRejected(placeSame(), 'being-paid');
    expect(refused).toMatchObject({
      sentence: 'A payment for these things is still being confirmed.',
      order: first.id,
      state: 'confirming',
    });
    expect(Date.parse(String(refused['placedAt']))).toBe(ada.now.getTime());
    expect(await backend.query('select from public.orders')).toHaveLength(1);
  });

  test('a shopper who was asked may order and pay them again', async () => {
    await confirming();
    const second = await placeSame(true);
    await expectRejected(ada.startAttempt(second, 'stripe'), 'being-paid');
    const begun = await ada.startAttempt(second, 'stripe', true);
    expect(begun.attempt).toMatchObject({ order_id: second.id, state: 'creating' });
  });

  test('an order that was placed before is not paid beside it, and its page was ended', async () => {
    const second = await placeSame();
    await ada.openAttempt(second, 'paypal', 'PP-2');
    await confirming();
    expect(await ada.attempts(second)).toEqual(['paypal void']);
    await expectRejected(ada.startAttempt(second, 'stripe'), 'being-paid');
    await expectRejected(ada.place({ [coat]: 1, [sock]: 2 }, { orderId: second.id }), 'being-paid');
  });

  test('other lines, other shoppers and test payments are not asked about', async () => {
    await confirming();
    await ada.place({ [coat]: 1, [sock]: 1 });
    await eve.place({ [coat]: 1, [sock]: 2 });
    await ada.place({ [coat]: 1, [sock]: 2 }, { mode: 'live' });
  });

  test('money that PayPal is just asked for, and money that waits for a person, count as paid', async () => {
    const first = await ada.place({ [coat]: 1, [sock]: 2 });
    await ada.openAttempt(first, 'paypal', 'PP-1');
    await ada.mayCapture('PP-1');
    expect(await expectRejected(placeSame(), 'being-paid')).toMatchObject({ state: 'pending' });
    await ada.applyPayment(first, { provider: 'paypal', amountMinor: 1 });
    expect((await expectRejected(placeSame(), 'being-paid')).sentence).toBe(
      'A payment for these things has arrived, and the shop is looking into it.',
    );
  });

  test('nothing is asked once it has failed', async () => {
    const first = await confirming();
    await ada.applyPayment(first, { outcome: 'failed' });
    await placeSame();
  });
});

describe('once a payment has arrived', () => {
  test('a page that still shows what was bought asks before it pays again', async () => {
    const first = await confirming();
    await ada.applyPayment(first, {});
    expect(await expectRejected(placeSame(), 'being-paid')).toMatchObject({
      sentence: 'You have just paid for exactly these things.',
      order: first.id,
    });
    await placeSame(true);
  });

  test('the same things put into the cart once more are bought unasked', async () => {
    await ada.applyPayment(await confirming(), {});
    await ada.putInCart({ [coat]: 1, [sock]: 3 });
    await placeSame();
  });

  test('the same things are bought unasked on another day', async () => {
    await ada.applyPayment(await confirming(), {});
    ada.waitMinutes(24 * 60 + 1);
    await placeSame();
  });
});

describe('the same lines have one payment page at a time', () => {
  test('a card page of another order must be ended before', async () => {
    const first = await ada.place({ [coat]: 1, [sock]: 2 });
    await ada.openAttempt(first, 'stripe', 'cs_1');
    const second = await placeSame();
    for (const again of [false, true]) {
      const begun = await ada.startAttempt(second, 'paypal', again);
      expect(begun).toMatchObject({
        attempt: null,
        blocked_by: { reference: 'cs_1' },
        of_order: { id: first.id },
      });
    }
    await ada.applyPayment(first, { outcome: 'expired' });
    const begun = await ada.startAttempt(second, 'paypal');
    expect(begun.attempt).toMatchObject({ order_id: second.id });
  });

  test('the functions of the build before go on as they did, but for the question', async () => {
    const place = (id: string) =>
      ada.call('place_order', {
        p_user: ada.id,
        p_order: id,
        p_items: JSON.stringify([{ product_id: coat, quantity: 1 }]),
        p_address: JSON.stringify(HOME),
        p_email: 'ada@weft.test',
        p_shown_total_minor: null,
        p_mode: 'sandbox',
        p_now: ada.now,
      });
    const start = (id: string) =>
      ada.call('start_attempt', {
        p_user: ada.id,
        p_order: id,
        p_provider: 'stripe',
        p_now: ada.now,
      });
    const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()];
    for (const id of [one, two]) {
      await place(id);
      expect(await start(id)).toMatchObject({ attempt: { order_id: id }, blocked_by: null });
    }
    await ada.orders.recordReference({ order_id: one, number: 1 } as never, 'cs_1');
    const order = (await ada.orders.find(ada.id, one, null))?.order;
    if (order) await ada.applyPayment(order, { outcome: 'pending' });
    for (const call of [place(three), start(two)]) {
      await expect(call).rejects.toMatchObject({ code: 'P0001' });
    }
  });
});
