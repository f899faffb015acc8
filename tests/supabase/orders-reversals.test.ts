import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PlacedOrder } from '../../netlify/lib/orders.ts';
import type { Reversal } from '../../netlify/lib/provider.ts';
import { Buyer } from './buyer.ts';
import { openTestBackend } from './shop.ts';
import { sell } from './shoppers.ts';

let buyer: Buyer;
let coat: number;
let order: PlacedOrder;

beforeAll(async () => {
  const backend = await openTestBackend();
  const account = { email: 'ada@weft.test', password: 'secret-1' };
  buyer = new Buyer(backend, await backend.addAccount(account));
});
afterAll(() => buyer.backend.close());
beforeEach(async () => {
  await buyer.backend.query(
    'truncate public.products, public.orders, public.payment_reversals cascade',
  );
  ({ COAT: coat = 0 } = await sell(buyer, { COAT: 54 }));
  order = await buyer.place({ [coat]: 1 });
  await buyer.openAttempt(order, 'stripe', 'cs_1');
});

const later = (seconds: number) => new Date(buyer.now.getTime() + seconds * 1000);
const disputed = (state: Reversal['state'], more: Partial<Reversal> = {}) =>
  buyer.applyReversal({ kind: 'dispute', id: 'du_1', amountMinor: 5400, state, ...more });
const story = async () =>
  (await buyer.backend.query('select kind from public.order_events order by id')).map(
    ({ kind }) => kind,
  );

describe('money that goes back', () => {
  test('is shown on the order in part and as a whole, and the order stays paid', async () => {
    await buyer.putInCart({ [coat]: 1 });
    await buyer.applyPayment(order, {});
    expect(await buyer.money(order)).toBe('0 of 5400');
    expect(await buyer.applyReversal({ amountMinor: 1200 })).toBe('counted');
    expect(await buyer.money(order)).toBe('1200 of 5400');
    await buyer.applyReversal({ id: 're_2', amountMinor: 4200 });
    expect(await buyer.money(order)).toBe('5400 of 5400');
    expect([await buyer.state(order), await buyer.review(order)]).toEqual(['paid', null]);
    expect(await buyer.cart()).toEqual({});
    expect(await story()).toEqual(['placed', 'moved', 'refunded', 'refunded']);
  });

  test('counts once, however often it is told', async () => {
    await buyer.applyPayment(order, {});
    await buyer.applyReversal();
    expect(await buyer.applyReversal()).toBe('stale');
    expect(await buyer.money(order)).toBe('100 of 5400');
  });

  test('is kept when it is told before the payment, and is on the order then', async () => {
    expect(await buyer.applyReversal()).toBe('kept');
    expect(await disputed('open')).toBe('kept');
    expect(await buyer.money(order)).toBe('0 of 0');
    expect(await buyer.applyPayment(order, {})).toBe('paid');
    expect(await buyer.money(order)).toBe('100 of 5400, open 5400');
  });

  test('is not back before the bank has done it, and not when that failed', async () => {
    await buyer.applyPayment(order, {});
    await buyer.applyReversal({ state: 'pending' });
    expect(await buyer.money(order)).toBe('0 of 5400');
    await buyer.applyReversal({ saidAt: later(60) });
    expect(await buyer.money(order)).toBe('100 of 5400');
    await buyer.applyReversal({ state: 'failed', saidAt: later(120) });
    expect(await buyer.money(order)).toBe('0 of 5400');
    expect((await story()).at(-1)).toBe('refund-failed');
  });

  test('of a payment that came twice is told beside both', async () => {
    await buyer.applyPayment(order, {});
    expect(await buyer.applyPayment(order, { captureId: 'pi_2' })).toBe('paid_again');
    await buyer.applyReversal({ paymentId: 'pi_2', amountMinor: 5400 });
    expect(await buyer.money(order)).toBe('5400 of 10800');
  });

  test('of another currency, another mode or another payment is not on the order', async () => {
    await buyer.applyPayment(order, {});
    await buyer.applyReversal({ currency: 'EUR' });
    await buyer.applyReversal({ id: 're_2', mode: 'live' });
    await buyer.applyReversal({ id: 're_3', paymentId: 'pi_9' });
    await buyer.applyReversal({ id: 're_4', provider: 'paypal' });
    expect(await buyer.money(order)).toBe('0 of 5400');
  });

  test('is never more than what came', async () => {
    await buyer.applyPayment(order, {});
    await buyer.applyReversal({ amountMinor: 9900 });
    expect(await buyer.money(order)).toBe('5400 of 5400');
  });
});

describe('a dispute', () => {
  test.each(['won', 'lost'] as const)('that is %s says so', async (end) => {
    await buyer.applyPayment(order, {});
    await disputed('open', { amountMinor: 1200 });
    expect(await buyer.money(order)).toBe('0 of 5400, open 1200');
    await disputed(end, { amountMinor: 1200 });
    expect(await buyer.money(order)).toBe(`0 of 5400, ${end} 1200`);
    expect(await buyer.state(order)).toBe('paid');
    expect(await story()).toEqual(['placed', 'moved', 'disputed', 'disputed']);
  });

  test('whose end is told before its beginning is over', async () => {
    await buyer.applyPayment(order, {});
    await disputed('lost', { saidAt: later(60) });
    expect(await disputed('open')).toBe('stale');
    expect(await buyer.money(order)).toBe('0 of 5400, lost 5400');
  });

  test('that goes on after it was lost is open again', async () => {
    await buyer.applyPayment(order, {});
    await disputed('lost');
    await disputed('open', { saidAt: later(60) });
    expect(await buyer.money(order)).toBe('0 of 5400, open 5400');
  });
});

test('what an order shows does not depend on the order in which it was told', async () => {
  const news: (() => Promise<unknown>)[] = [
    () => buyer.applyPayment(order, {}),
    () => buyer.applyReversal({ state: 'pending' }),
    () => buyer.applyReversal({ saidAt: later(9) }),
    () => buyer.applyReversal({ id: 're_2', amountMinor: 700 }),
    () => buyer.applyReversal({ id: 're_2', amountMinor: 700, state: 'failed' }),
    () => disputed('open'),
    () => disputed('won', { saidAt: later(5) }),
  ];
  const orders = fc.shuffledSubarray([...news, ...news], { minLength: 2 * news.length });
  await fc.assert(
    fc.asyncProperty(orders, async (told) => {
      await buyer.backend.query('begin');
      for (const tell of told) await tell();
      const shown = [await buyer.money(order), await buyer.state(order)];
      await buyer.backend.query('rollback');
      expect(shown).toEqual(['100 of 5400, won 5400', 'paid']);
    }),
    { numRuns: 40 },
  );
});

test('what a provider said of money that goes back is changed and deleted by nobody', async () => {
  await buyer.applyReversal();
  for (const change of [
    'delete from public.payment_reversals where true',
    `update public.payment_reversals set payment_id = 'pi_2' where true`,
    `update public.payment_reversals set state = 'pending' where true`,
  ]) {
    await expect(buyer.backend.query(change), change).rejects.toThrow('keeps its payment');
  }
});

test('an order whose sums are missing has them after the next refund', async () => {
  await buyer.applyPayment(order, {});
  await buyer.backend.query('update public.orders set received_minor = 0 where id = $1', [
    order.id,
  ]);
  await buyer.applyReversal();
  expect(await buyer.money(order)).toBe('100 of 5400');
});
