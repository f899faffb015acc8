/** Refunds and disputes as orders show them. */
import { beforeEach, describe, expect, test } from 'vitest';
import { DatabaseUnavailable } from '../../netlify/lib/database.ts';
import { reconcile } from '../../netlify/lib/reconcile.ts';
import { InProcessShop, openBackendSelling } from './in-process-shop.ts';

const { backend, user, products } = await openBackendSelling({ COAT: 54 });
const { COAT: coat } = products;
let shop: InProcessShop;
beforeEach(async () => {
  shop = new InProcessShop(backend, user);
  await shop.buyer.putInCart({ [coat]: 1 });
});

const request = () => shop.requestFor({ [coat]: 1 }, { again: true });

/** Pays an order of one coat, and returns its ids with functions that send its money back. Amounts are in cents. */
async function payOrder(provider: 'stripe' | 'paypal') {
  const orderId =
    provider === 'stripe'
      ? (await shop.payByCard(request())).orderId
      : await shop.payByWallet(request());
  const emulator = shop[provider];
  const payment = emulator.receipts[0]?.paymentId ?? '';
  return {
    orderId,
    refund: (amount?: number) => emulator.refund(payment, amount),
    dispute: (amount?: number) => emulator.dispute(payment, amount),
  };
}

/**
 * The order's state, the cents that were refunded of the cents received, and the cents in disputes by their state:
 * `paid, 1200 of 5400, open 2000`.
 */
async function summaryOf(id: string): Promise<string> {
  await shop.idle();
  return `${await shop.buyer.state({ id })}, ${await shop.buyer.money({ id })}`;
}

describe.each(['stripe', 'paypal'] as const)('a payment by %s', (provider) => {
  test('that is refunded without a webhook is found by the reading of the next night', async () => {
    const { orderId, refund, dispute } = await payOrder(provider);
    shop.dropsWebhooks = true;
    for (let count = 0; count < 110; count += 1) refund(1); // more than a page of the list
    dispute();
    await reconcile(shop.ports);
    expect(await summaryOf(orderId)).toBe('paid, 0 of 5400');
    shop.setToReading();
    expect(await reconcile(shop.ports)).toBe(0);
    expect(await summaryOf(orderId)).toBe('paid, 110 of 5400, open 5400');
  });
});

test('a refund that the database cannot take in now does not hold up the others, and is read again', async () => {
  const [first, second] = [await payOrder('paypal'), await payOrder('paypal')];
  shop.dropsWebhooks = true;
  for (const { refund } of [first, second]) refund(1200);
  let isFirst = true;
  const ports = shop.portsBefore((name) => {
    if (name !== 'apply_reversal' || !isFirst) return;
    isFirst = false;
    throw new DatabaseUnavailable('busy');
  });
  shop.setToReading();
  expect(await reconcile(ports)).toBe(1);
  const summaries = () => Promise.all([first, second].map(({ orderId }) => summaryOf(orderId)));
  const [unread, read] = ['paid, 0 of 5400', 'paid, 1200 of 5400'];
  expect((await summaries()).toSorted()).toEqual([unread, read]);
  shop.setToReading();
  await reconcile(shop.ports);
  expect(await summaries()).toEqual([read, read]);
});
