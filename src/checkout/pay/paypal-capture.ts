import { pageTiming } from '../../browser/page-timing.ts';
import { pause } from '../../browser/pause.ts';
import { backoffMs } from '../../domain/timing.ts';
import type { CheckoutAnswer, CheckoutRemote, PayPalCapture } from '../../remote/checkout.ts';
import { type ErrorMessage, errorMessage } from './error-message.ts';

/** What the shop's answer means for the payment. */
export type CaptureVerdict =
  /** PayPal has the money, or may have: the success page shows which. */
  | { readonly kind: 'paid-or-pending'; readonly orderId: string | null }
  /** No answer, or one that does not say whether PayPal took the money. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not-completed' | 'signed-out'; readonly why: ErrorMessage };

const PRESS_AGAIN =
  'Your payment didn’t go through. Press the PayPal button again and choose another way to pay.';
const UNSURE = 'Log in and check your orders to see whether PayPal charged you.';

/** @param wasAsked whether an earlier request, whose answer is not known, may have taken the money */
function verdictOf(answer: CheckoutAnswer<PayPalCapture>, wasAsked: boolean): CaptureVerdict {
  if (answer.ok) {
    const { status, orderId } = answer.value;
    if (status === 'COMPLETED' || status === 'PENDING') return { kind: 'paid-or-pending', orderId };
    const why = errorMessage('PayPal couldn’t take this payment. Nothing was charged.');
    return { kind: 'not-completed', why };
  }
  const { failure } = answer;
  if (failure.kind === 'sign-in') {
    const why = wasAsked ? UNSURE : 'Log in and try again. Nothing was charged.';
    return { kind: 'signed-out', why: errorMessage(why) };
  }
  if (failure.kind === 'order-paid' || failure.kind === 'payment-under-way') {
    return { kind: 'paid-or-pending', orderId: null };
  }
  if (failure.kind !== 'rejected' || failure.code === null) return { kind: 'unknown' };
  // The server has not found out. Even `not-configured` may come after PayPal has taken the money.
  if (failure.status >= 500) return { kind: 'unknown' };
  const why = failure.code === 'INSTRUMENT_DECLINED' ? PRESS_AGAIN : failure.message;
  return { kind: 'not-completed', why: errorMessage(why ?? 'Nothing was charged.') };
}

/** PayPal takes the money once, however often it gets the same request. */
const MOST_REQUESTS = 3;
const PAUSES = { firstMs: 1000, mostMs: 4000 };

/**
 * Has the shop take the money for an order that the shopper has approved at PayPal. Retries while the verdict is
 * `unknown`.
 *
 * @param isResumed whether a page before this one may have asked already
 */
export async function capture(
  remote: CheckoutRemote,
  payPalId: string,
  isResumed: boolean,
): Promise<CaptureVerdict> {
  for (let requests = 1; ; requests += 1) {
    const answer = await remote.capturePayPalOrder(payPalId);
    const verdict = verdictOf(answer, isResumed || requests > 1);
    if (verdict.kind !== 'unknown' || requests === MOST_REQUESTS) return verdict;
    await pause(backoffMs(requests, PAUSES, pageTiming.random));
  }
}
