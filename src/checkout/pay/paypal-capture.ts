import type { CheckoutAnswer, CheckoutRemote, PayPalCapture } from '../../remote/checkout.ts';
import { type ErrorMessage, errorMessage } from './error-message.ts';

/** What the shop's answer means for the payment. */
export type CaptureVerdict =
  /** PayPal has the money, or may have: the success page shows which. */
  | { readonly kind: 'paid-or-pending'; readonly orderId: string | null }
  /** PayPal declined the instrument: the shopper may choose another one for the same order. */
  | { readonly kind: 'declined' }
  /** No answer, or one that does not say whether PayPal took the money. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not-completed' | 'signed-out'; readonly why: ErrorMessage };

function verdictOf(answer: CheckoutAnswer<PayPalCapture>): CaptureVerdict {
  if (answer.ok) {
    const { status, orderId } = answer.value;
    if (status === 'COMPLETED' || status === 'PENDING') return { kind: 'paid-or-pending', orderId };
    const why = errorMessage('PayPal did not make this payment. Nothing was charged.');
    return { kind: 'not-completed', why };
  }
  const { failure } = answer;
  if (failure.kind === 'sign-in') {
    return { kind: 'signed-out', why: errorMessage('Sign in, and pay again: no money was taken.') };
  }
  if (failure.kind !== 'rejected' || failure.code === null) return { kind: 'unknown' };
  if (failure.code === 'INSTRUMENT_DECLINED') return { kind: 'declined' };
  if (failure.code === 'order-paid' || failure.code === 'payment-under-way') {
    return { kind: 'paid-or-pending', orderId: null };
  }
  return { kind: 'not-completed', why: errorMessage(failure.message ?? 'Nothing was charged.') };
}

const UNSURE = 'Sign in, and look at your orders: they say whether PayPal took the money.';

/** Pauses between tries. PayPal takes the money once, however often it gets the same request. */
const PAUSES_MS = [500, 2000];

/** Takes the money of an order that the shopper has approved at PayPal; asks again when no answer comes. */
export async function capture(remote: CheckoutRemote, payPalId: string): Promise<CaptureVerdict> {
  const first = verdictOf(await remote.capturePayPalOrder(payPalId));
  if (first.kind !== 'unknown') return first;
  let verdict: CaptureVerdict = first;
  for (const pauseMs of PAUSES_MS) {
    await new Promise((done) => setTimeout(done, pauseMs));
    verdict = verdictOf(await remote.capturePayPalOrder(payPalId));
    // The first request may have taken the money, so a session that has ended since says nothing about it.
    if (verdict.kind === 'signed-out') return { kind: 'signed-out', why: errorMessage(UNSURE) };
    if (verdict.kind !== 'unknown') return verdict;
  }
  return verdict;
}
