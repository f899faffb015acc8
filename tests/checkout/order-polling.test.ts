/** Asking the shop about an order until its state is final. */
import { expect, test } from 'vitest';
import {
  type OrderUpdateState,
  pollUntilFinal,
  watchOrder,
} from '../../src/checkout/order-polling.ts';
import { OFFLINE } from '../../src/domain/failure.ts';
import type { CheckoutAnswer, OrderUpdate } from '../../src/remote/checkout.ts';
import { simulatedTime } from '../simulated-time.ts';

test('the pauses between questions double up to a minute, and a final answer ends them', async () => {
  const time = simulatedTime(() => 1);
  const askedAtMs: number[] = [];
  pollUntilFinal(async () => {
    askedAtMs.push(time.now());
    return askedAtMs.length < 10 ? 'open' : 'final';
  }, time);
  await time.pass(3_600_000);
  const pauses = askedAtMs.slice(1).map((ms, i) => ms - (askedAtMs[i] ?? 0));
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
});

test('a wake-up asks at once and starts again with short pauses', async () => {
  const time = simulatedTime(() => 1);
  const askedAtMs: number[] = [];
  const asking = pollUntilFinal(async () => {
    askedAtMs.push(time.now());
    return 'open';
  }, time);
  await time.pass(4000);
  asking.wake();
  await time.pass(1000);
  expect(askedAtMs).toEqual([0, 1000, 3000, 4000, 5000]);
});

test('a quiet answer asks again only after a wake-up', async () => {
  const time = simulatedTime(() => 1);
  let questions = 0;
  const asking = pollUntilFinal(async () => {
    questions += 1;
    return 'quiet';
  }, time);
  await time.pass(3_600_000);
  expect(questions).toBe(1);
  asking.wake();
  await time.pass(3_600_000);
  expect(questions).toBe(2);
});

const update = (status: OrderUpdate['status']): CheckoutAnswer<OrderUpdate> => ({
  ok: true,
  value: { status, orderId: 'an id', paidBy: null, isCurrent: true },
});

/** The states that a screen gets, in order, while the shop gives these answers. Asks without pauses. */
async function statesFor(...answers: readonly CheckoutAnswer<OrderUpdate>[]): Promise<string[]> {
  const states: string[] = [];
  let next = 0;
  const watch = watchOrder(
    { orderStatus: async () => answers[next++] ?? OFFLINE },
    { kind: 'order', id: 'an id' },
    (ask) => {
      const { signal } = new AbortController();
      void (async () => {
        while (next < answers.length && (await ask(signal)) === 'open');
      })();
      return () => undefined;
    },
    () => undefined,
  );
  const nameOf = (state: OrderUpdateState) =>
    state.kind === 'known' ? state.update.status : state.kind;
  watch.subscribe((state) => states.push(nameOf(state)));
  await new Promise((done) => setTimeout(done, 0));
  return states;
}

test('a payment is followed until it is settled', async () => {
  expect(
    await statesFor(update('unpaid'), update('confirming'), update('paid'), update('failed')),
  ).toEqual(['unpaid', 'confirming', 'paid']);
});

test('the last known state stays when the shop cannot be reached', async () => {
  expect(await statesFor(OFFLINE, update('confirming'), OFFLINE, update('failed'))).toEqual([
    'offline',
    'confirming',
    'failed',
  ]);
});

test('an order of another shopper is not asked about again', async () => {
  const foreign = {
    ok: false,
    failure: { kind: 'rejected', status: 404, code: 'order-unknown', message: null },
  } as const;
  expect(await statesFor(foreign, update('paid'))).toEqual(['foreign']);
});
