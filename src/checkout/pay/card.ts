import type { CheckoutRemote } from '../../remote/checkout.ts';
import { notify } from '../../ui/notices.ts';
import { isPaymentPage } from '../go.ts';
import { leaveForPayment } from './left-for-payment.ts';
import { IS_EMBEDDED, STRIPE_CHECKOUT_HOST } from '../settings.ts';
import { errorMessage } from './error-message.ts';
import type { MethodWords, Payment } from './use-payment.ts';

/** Specification, sections 6 and 8. */
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
  if (isPaymentPage(url, STRIPE_CHECKOUT_HOST, IS_EMBEDDED)) {
    leaveForPayment(begun.orderId, url);
    return;
  }
  notify('alert', 'Stripe error: the address of the payment page is not one of Stripe’s.');
  payment.finish(errorMessage('You were not sent there, and nothing was charged.'));
}
