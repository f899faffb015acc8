import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PlacedOrder } from '../../netlify/lib/orders.ts';
import type { Reversal } from '../../netlify/lib/provider.ts';
import { OrderDesk } from './desk.ts';
import { openTestBackend } from './shop.ts';
import { sell } from './shoppers.ts';

let desk: OrderDesk;
let coat: number;
let order: PlacedOrder;

beforeAll(async () => {
  const backend = await openTestBackend();
  const account = { email: 'ada@weft.test', password: 'secret-1' };
  desk = new OrderDesk(backend, await backend.addAccount(account));
});
afterAll(() => desk.backend.close());
beforeEach(async () => {
  await desk.backend.query(
    'truncate public.products, public.orders, public.payment_reversals cascade',
  );
  ({ COAT: coat = 0 } = await sell(desk, { COAT: 54 }));
  order = await desk.place({ [coat]: 1 });
  await desk.open(order, 'stripe', 'cs_1');
});

const later = (seconds: number) => new Date(desk.now.getTime() + seconds * 1000);
const disputed = (state: Reversal['state'], more: Partial<Reversal> = {}) =>
  desk.sendBack({ kind: 'dispute', id: 'du_1', amountMinor: 5400, state, ...more });
const story = async () =>
  (await desk.backend.query('select kind from public.order_events order by id')).map(
    ({ kind }) => kind,
  );

describe('money that goes back', () => {
  test('is shown on the order in part and as a whole, and the order stays paid', async () => {
    await desk.putInCart({ [coat]: 1 });
    await desk.tell(order, {});
    expect(await desk.money(order)).toBe('0 of 5400');
    expect(await desk.sendBack({ amountMinor: 1200 })).toBe('counted');
    expect(await desk.money(order)).toBe('1200 of 5400');
    await desk.sendBack({ id: 're_2', amountMinor: 4200 });
    expect(await desk.money(order)).toBe('5400 of 5400');
    expect([await desk.state(order), await desk.review(order)]).toEqual(['paid', null]);
    expect(await desk.cart()).toEqual({});
    expect(await story()).toEqual(['placed', 'moved', 'refunded', 'refunded']);
  });

  test('counts once, however often it is told', async () => {
    await desk.tell(order, {});
    await desk.sendBack();
    expect(await desk.sendBack()).toBe('stale');
    expect(await desk.money(order)).toBe('100 of 5400');
  });

  test('is kept when it is told before the payment, and is on the order then', async () => {
    expect(await desk.sendBack()).toBe('kept');
    expect(await disputed('open')).toBe('kept');
    expect(await desk.money(order)).toBe('0 of 0');
    expect(await desk.tell(order, {})).toBe('paid');
    expect(await desk.money(order)).toBe('100 of 5400, open 5400');
  });

  test('is not back before the bank has done it, and not when that failed', async () => {
    await desk.tell(order, {});
    await desk.sendBack({ state: 'pending' });
    expect(await desk.money(order)).toBe('0 of 5400');
    await desk.sendBack({ saidAt: later(60) });
    expect(await desk.money(order)).toBe('100 of 5400');
    await desk.sendBack({ state: 'failed', saidAt: later(120) });
    expect(await desk.money(order)).toBe('0 of 5400');
    expect((await story()).at(-1)).toBe('refund-failed');
  });

  test('of a payment that came twice is told beside both', async () => {
    await desk.tell(order, {});
    expect(await desk.tell(order, { captureId: 'pi_2' })).toBe('paid_again');
    await desk.sendBack({ paymentId: 'pi_2', amountMinor: 5400 });
    expect(await desk.money(order)).toBe('5400 of 10800');
  });

  test('of another currency, another mode or another payment is not on the order', async () => {
    await desk.tell(order, {});
    await desk.sendBack({ currency: 'EUR' });
    await desk.sendBack({ id: 're_2', mode: 'live' });
    await desk.sendBack({ id: 're_3', paymentId: 'pi_9' });
    await desk.sendBack({ id: 're_4', provider: 'paypal' });
    expect(await desk.money(order)).toBe('0 of 5400');
  });

  test('is never more than what came', async () => {
    await desk.tell(order, {});
    await desk.sendBack({ amountMinor: 9900 });
    expect(await desk.money(order)).toBe('5400 of 5400');
  });
});

describe('a dispute', () => {
  test.each(['won', 'lost'] as const)('that is %s says so', async (end) => {
    await desk.tell(order, {});
    await disputed('open', { amountMinor: 1200 });
    expect(await desk.money(order)).toBe('0 of 5400, open 1200');
    await disputed(end, { amountMinor: 1200 });
    expect(await desk.money(order)).toBe(`0 of 5400, ${end} 1200`);
    expect(await desk.state(order)).toBe('paid');
    expect(await story()).toEqual(['placed', 'moved', 'disputed', 'disputed']);
  });

  test('whose end is told before its beginning is over', async () => {
    await desk.tell(order, {});
    await disputed('lost', { saidAt: later(60) });
    expect(await disputed('open')).toBe('stale');
    expect(await desk.money(order)).toBe('0 of 5400, lost 5400');
  });

  test('that goes on after it was lost is open again', async () => {
    await desk.tell(order, {});
    await disputed('lost');
    await disputed('open', { saidAt: later(60) });
    expect(await desk.money(order)).toBe('0 of 5400, open 5400');
  });
});

test('what an order shows does not depend on the order in which it was told', async () => {
  const news: (() => Promise<unknown>)[] = [
    () => desk.tell(order, {}),
    () => desk.sendBack({ state: 'pending' }),
    () => desk.sendBack({ saidAt: later(9) }),
    () => desk.sendBack({ id: 're_2', amountMinor: 700 }),
    () => desk.sendBack({ id: 're_2', amountMinor: 700, state: 'failed' }),
    () => disputed('open'),
    () => disputed('won', { saidAt: later(5) }),
  ];
  const orders = fc.shuffledSubarray([...news, ...news], { minLength: 2 * news.length });
  await fc.assert(
    fc.asyncProperty(orders, async (told) => {
      await desk.backend.query('begin');
      for (const tell of told) await tell();
      const shown = [await desk.money(order), await desk.state(order)];
      await desk.backend.query('rollback');
      expect(shown).toEqual(['100 of 5400, won 5400', 'paid']);
    }),
    { numRuns: 40 },
  );
});

test('what a provider said of money that goes back is changed and deleted by nobody', async () => {
  await desk.sendBack();
  for (const change of [
    'delete from public.payment_reversals where true',
    `update public.payment_reversals set payment_id = 'pi_2' where true`,
    `update public.payment_reversals set state = 'pending' where true`,
  ]) {
    await expect(desk.backend.query(change), change).rejects.toThrow('keeps its payment');
  }
});

test('an order whose sums are missing has them after the next refund', async () => {
  await desk.tell(order, {});
  await desk.backend.query('update public.orders set received_minor = 0 where id = $1', [order.id]);
  await desk.sendBack();
  expect(await desk.money(order)).toBe('100 of 5400');
});
