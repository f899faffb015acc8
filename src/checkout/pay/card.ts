import type { CheckoutRemote } from '../../remote/checkout.ts';
import { notify } from '../../ui/notices.ts';
import { sessionKey, takeText } from '../../browser/storage-key.ts';
import { errorMessage } from './error-message.ts';
import type { MethodWords, Payment } from './use-payment.ts';

/** The sentences of the specification, sections 6 and 8. */
const CARD_WORDS: MethodWords = {
  signedOut: 'You must be logged in to checkout.',
  failed: 'Something went wrong. Please try again.',
  notStarted: 'Failed to create checkout session',
};

/** Places the order and opens Stripe's payment page. */
export async function payByCard(payment: Payment, remote: CheckoutRemote): Promise<void> {
  const request = payment.check(CARD_WORDS);
  if (!request) return;
  const begun = await payment.begin(request, CARD_WORDS, remote.createSession);
  if (!begun) return;
  const { url } = begun.value;
  if (/^https?:\/\//.test(url)) {
    leaveForPayment(begun.orderId, url);
    return;
  }
  notify('alert', 'Stripe error: there is no payment page.');
  payment.finish(errorMessage('The payment didn’t start. Nothing was charged.'));
}

/** The order whose payment page this tab has opened. */
const orderLeftForPayment = sessionKey('left-for-payment');

/**
 * Opens the payment page, and notes its order in this tab: a shopper who comes back to the checkout instead of
 * the success page has probably not paid. Without storage the checkout says nothing to such a shopper.
 */
function leaveForPayment(orderId: string, url: string): void {
  orderLeftForPayment.write(orderId);
  location.assign(url);
}

/** Returns the order whose payment page this tab has opened, and clears the note; null without one. */
export function takeOrderLeftForPayment(): string | null {
  return takeText(orderLeftForPayment);
}

/**
 * Loads Stripe.js, which looks for signs of fraud on the shop's checkout. It has no other use here, so a failed
 * download does not prevent a payment.
 */
export function loadFraudSignals(publishableKey: string): void {
  if (publishableKey === '') return;
  // `/pure`: the main entry would insert its script wherever it is imported.
  void import('@stripe/stripe-js/pure')
    .then(({ loadStripe }) => loadStripe(publishableKey))
    .catch(() => undefined);
}
