/** What the shopper reads after PayPal was asked to take the money. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { capture } from '../../src/checkout/pay/paypal-capture.ts';
import type { CheckoutRemote } from '../../src/remote/checkout.ts';
import { OFFLINE, SIGN_IN_NEEDED } from '../../src/domain/failure.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

type Answer = Awaited<ReturnType<CheckoutRemote['capturePayPalOrder']>>;

/** What the shopper reads after these answers to the requests for the money; the verdict's kind if it has no words. */
async function wordsAfter(answers: Answer[], { isResumed = false } = {}): Promise<string> {
  const remote = { capturePayPalOrder: async () => answers.shift() } as unknown as CheckoutRemote;
  const asked = capture(remote, '5AB12345CD678901E', isResumed);
  await vi.runAllTimersAsync();
  const verdict = await asked;
  return 'why' in verdict ? JSON.stringify(verdict.why) : verdict.kind;
}

test('a session that has ended before the first request means that no money was taken', async () => {
  expect(await wordsAfter([SIGN_IN_NEEDED])).toContain('Nothing was charged');
});

test('a session that ends after a lost answer leaves open whether money was taken', async () => {
  const words = await wordsAfter([OFFLINE, SIGN_IN_NEEDED]);
  expect(words).toContain('check your orders');
  expect(words).not.toContain('Nothing was charged');
});

test('after a return from PayPal’s page it is open whether the page before has taken the money', async () => {
  expect(await wordsAfter([SIGN_IN_NEEDED], { isResumed: true })).toContain('check your orders');
});

test('a function that fails does not say that no money was taken', async () => {
  const failed: Answer = {
    ok: false,
    failure: { kind: 'rejected', status: 503, code: 'not-configured', message: 'Not set up yet.' },
  };
  expect(await wordsAfter([failed, failed, failed])).toBe('unknown');
});

const DECLINED: Answer = { ok: true, value: { status: 'DECLINED', orderId: null } };
const rejection = (code: string, message: string): Answer => ({
  ok: false,
  failure: { kind: 'rejected', status: 422, code, message },
});

test.each([
  ['PayPal couldn’t take this payment. Nothing was charged.', DECLINED],
  ['choose another way to pay', rejection('INSTRUMENT_DECLINED', 'No.')],
  ['PayPal says no.', rejection('PAYER_CANNOT_PAY', 'PayPal says no.')],
])('after a payment that PayPal did not take the shopper reads: %s', async (why, answer) => {
  expect(await wordsAfter([answer])).toContain(why);
});

test('an answer that comes at the third request counts', async () => {
  const done: Answer = { ok: true, value: { status: 'COMPLETED', orderId: null } };
  expect(await wordsAfter([OFFLINE, OFFLINE, done])).toBe('paid-or-pending');
  expect(await wordsAfter([OFFLINE, OFFLINE, OFFLINE])).toBe('unknown');
});
