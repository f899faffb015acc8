/** Asking the shop about an order until its state is final. */
import { expect, test } from 'vitest';
import { pollUntilFinal } from '../../src/checkout/poll-until-final.ts';
import { type OrderUpdateState, watchOrder } from '../../src/checkout/pay/order-watch.ts';
import { OFFLINE } from '../../src/domain/failure.ts';
import type { CheckoutAnswer, OrderUpdate } from '../../src/remote/checkout.ts';

/** A timer that fires when the test says so. */
function manualTimer() {
  let next: { readonly run: () => void; readonly ms: number } | null = null;
  return {
    timing: {
      setTimeout(run: () => void, ms: number) {
        next = { run, ms };
        return 1;
      },
      clearTimeout() {
        next = null;
      },
    },
    /** Ends the pause that was asked for. Returns its length, null without one. */
    async endPause(): Promise<number | null> {
      await settle();
      const due = next;
      next = null;
      due?.run();
      await settle();
      return due?.ms ?? null;
    },
  };
}

const settle = () => new Promise((done) => setTimeout(done, 0));

test('the pauses between questions double up to a minute, and a final answer ends them', async () => {
  const time = manualTimer();
  let requests = 0;
  pollUntilFinal(async () => {
    requests += 1;
    return requests < 10 ? 'open' : 'final';
  }, time.timing);
  const pauses: (number | null)[] = [];
  for (let i = 0; i < 10; i++) pauses.push(await time.endPause());
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000, null]);
  expect(requests).toBe(pauses.length);
});

test('a wake-up asks at once and starts again with short pauses', async () => {
  const time = manualTimer();
  let requests = 0;
  const asking = pollUntilFinal(async () => {
    requests += 1;
    return 'open';
  }, time.timing);
  await time.endPause();
  await time.endPause();
  asking.wake();
  await settle();
  expect(requests).toBe(4);
  expect(await time.endPause()).toBe(1000);
});

test('a wake-up during a request asks once more after it, and after a stop nothing is asked', async () => {
  const time = manualTimer();
  let requests = 0;
  let answer: () => void = () => undefined;
  const asking = pollUntilFinal(async () => {
    requests += 1;
    await new Promise<void>((done) => {
      answer = done;
    });
    return 'open';
  }, time.timing);
  asking.wake();
  asking.wake();
  expect(requests).toBe(1);
  answer();
  await settle();
  expect(requests).toBe(2);
  asking.stop();
  answer();
  expect(await time.endPause()).toBeNull();
});

const update = (status: OrderUpdate['status']): CheckoutAnswer<OrderUpdate> => ({
  ok: true,
  value: { status, orderId: 'an id', paidBy: null, isCurrent: true },
});

/** The states that a screen is given, in order, when the shop answers like this until no answer is left. */
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
  const describe = (state: OrderUpdateState) =>
    state.kind === 'known' ? state.update.status : state.kind;
  watch.subscribe((state) => states.push(describe(state)));
  await settle();
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
