/** What the shopper is told after the request to cancel an order. */
import { afterEach, expect, test, vi } from 'vitest';
import { cancelOrder } from '../../src/checkout/mutations.ts';
import { NO_TOKEN, OFFLINE, type Rejection, SIGN_IN_NEEDED } from '../../src/domain/failure.ts';
import { noticeStore } from '../../src/ui/notices.ts';

const ID = '00000000-0000-4000-8000-000000000000';
const rejected = (status: number, code: string | null): { ok: false; failure: Rejection } => ({
  ok: false,
  failure: { kind: 'rejected', status, code, message: 'Reason.' },
});

const ORDER_PAID = { ok: false, failure: { kind: 'order-paid', message: 'Reason.' } } as const;

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['there is no network', OFFLINE, false],
  ['the answer is lost', OFFLINE, true],
  ['the server fails', rejected(503, null), true],
  ['the request is not sent', NO_TOKEN, false],
  ['the session has ended', SIGN_IN_NEEDED, false],
  ['the order is paid', ORDER_PAID, false],
] as const)('a cancellation: %s', async (name, answer, mayBeCancelled) => {
  vi.stubGlobal('navigator', { onLine: name !== 'there is no network' });
  expect(await cancelOrder({ cancelOrder: async () => answer }, 'ada', ID)).toBe(false);
  const words = noticeStore.snapshot()?.text;
  expect(words?.includes('not known')).toBe(mayBeCancelled);
  expect(words?.includes('The order was not cancelled.')).toBe(!mayBeCancelled);
});
