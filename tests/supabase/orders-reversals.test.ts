/**
 * Reversals: refunds and disputes of a payment, and their sums in the order. `buyer.applyReversal` reports a refund
 * `re_1` that is done and was reported by the provider at `buyer.now`, unless told otherwise. That providers may report
 * them in any sequence is checked by the simulator (`model/orders/money-back.patch`).
 */
import { beforeEach, describe, expect, test } from 'vitest';
import type { PlacedOrder } from '../../netlify/lib/orders.ts';
import type { Reversal } from '../../netlify/lib/provider.ts';
import { addBuyer } from './buyer.ts';
import { columnOf } from './column.ts';
import { openBackendForFile } from './shop-for-file.ts';
import { sell } from './shoppers.ts';

/** The price of the coat, and so the total of the order, in cents. */
const TOTAL = 5400;
/** What `applyReversal` refunds unless told otherwise, in cents. */
const REFUND = 100;
const buyer = await addBuyer(await openBackendForFile(), 'ada');
let coat: number;
let order: PlacedOrder;

beforeEach(async () => {
  await buyer.backend.query(
    'truncate public.products, public.orders, public.payment_reversals cascade',
  );
  ({ COAT: coat = 0 } = await sell(buyer, { COAT: TOTAL / 100 }));
  order = await buyer.placeAndOpen({ [coat]: 1 }, 'stripe', 'cs_1');
});

const later = (seconds: number) => new Date(buyer.now.getTime() + seconds * 1000);
/** Applies an event of a dispute about the order's whole payment, changed by `fields`. */
const applyDispute = (state: Reversal['state'], fields: Partial<Reversal> = {}) =>
  buyer.applyReversal({ kind: 'dispute', id: 'du_1', amountMinor: TOTAL, state, ...fields });
/** The kinds of the order's events, the oldest first. */
const eventKinds = () =>
  columnOf(buyer.backend, 'select kind from public.order_events order by id');

describe('a refund', () => {
  test('is stored with the order, in part and in full, and the order stays paid', async () => {
    await buyer.putInCart({ [coat]: 1 });
    await buyer.applyPayment(order, {});
    expect(await buyer.money(order)).toBe(`0 of ${TOTAL}`);
    expect(await buyer.applyReversal({ amountMinor: 1200 })).toBe('counted');
    expect(await buyer.money(order)).toBe(`1200 of ${TOTAL}`);
    await buyer.applyReversal({ id: 're_2', amountMinor: TOTAL - 1200 });
    expect(await buyer.money(order)).toBe(`${TOTAL} of ${TOTAL}`);
    expect([await buyer.state(order), await buyer.review(order)]).toEqual(['paid', null]);
    expect(await buyer.cart()).toEqual({});
    expect(await eventKinds()).toEqual(['placed', 'moved', 'refunded', 'refunded']);
  });

  test('that is reported before its payment counts once the payment has arrived', async () => {
    expect(await buyer.applyReversal()).toBe('kept');
    expect(await applyDispute('open')).toBe('kept');
    expect(await buyer.money(order)).toBe('0 of 0');
    expect(await buyer.applyPayment(order, {})).toBe('paid');
    expect(await buyer.money(order)).toBe(`${REFUND} of ${TOTAL}, open ${TOTAL}`);
  });

  test('in another currency or mode, or of another payment, does not count', async () => {
    await buyer.applyPayment(order, {});
    await buyer.applyReversal({ currency: 'EUR' });
    await buyer.applyReversal({ id: 're_2', mode: 'live' });
    await buyer.applyReversal({ id: 're_3', paymentId: 'pi_9' });
    await buyer.applyReversal({ id: 're_4', provider: 'paypal' });
    expect(await buyer.money(order)).toBe(`0 of ${TOTAL}`);
  });

  test('counts for at most what was paid', async () => {
    await buyer.applyPayment(order, {});
    await buyer.applyReversal({ amountMinor: TOTAL + 1 });
    expect(await buyer.money(order)).toBe(`${TOTAL} of ${TOTAL}`);
  });
});

describe('a dispute', () => {
  test('is stored with its end', async () => {
    await buyer.applyPayment(order, {});
    await applyDispute('open', { amountMinor: 1200 });
    expect(await buyer.money(order)).toBe(`0 of ${TOTAL}, open 1200`);
    await applyDispute('lost', { amountMinor: 1200 });
    expect(await buyer.money(order)).toBe(`0 of ${TOTAL}, lost 1200`);
    expect(await buyer.state(order)).toBe('paid');
    expect(await eventKinds()).toEqual(['placed', 'moved', 'disputed', 'disputed']);
  });

  test('that is reopened after it was lost is open again', async () => {
    await buyer.applyPayment(order, {});
    await applyDispute('lost');
    await applyDispute('open', { saidAt: later(60) });
    expect(await buyer.money(order)).toBe(`0 of ${TOTAL}, open ${TOTAL}`);
  });
});

test('stored refunds and disputes cannot be deleted, moved to another payment or set back', async () => {
  await buyer.applyReversal();
  for (const change of [
    'delete from public.payment_reversals where true',
    `update public.payment_reversals set payment_id = 'pi_2' where true`,
    `update public.payment_reversals set state = 'pending' where true`,
  ]) {
    await expect(buyer.backend.query(change), change).rejects.toThrow('keeps its payment');
  }
});
