/** The page on which a buyer approves an order where the SDK's emulator opens no dialog. */
import type { Call } from '../provider/emulator.ts';
import { actionButton, actionOf, notFoundPage, redirect, testPage } from '../provider/page.ts';
import type { PayPalAccount } from './account.ts';
import { totalOf } from './pages.ts';
import { INSTRUMENTS } from './state.ts';

/**
 * Leads back to the shop as PayPal does: it names a payer only when the buyer has approved.
 *
 * @returns undefined for other paths
 */
export function answerApproval(call: Call, paypal: PayPalAccount): Response | undefined {
  if (call.path !== '/checkoutnow') return undefined;
  const order = paypal.orders.find((other) => other.id === call.query.get('token'));
  const { return_url: returnUrl, cancel_url: cancelUrl } =
    order?.request.payment_source.paypal.experience_context ?? {};
  if (!order || returnUrl === undefined || cancelUrl === undefined) return notFoundPage();
  const action = actionOf(call);
  if (action === 'cancel') return redirect(`${cancelUrl}?token=${order.id}`);
  const instrument = INSTRUMENTS.get(action);
  if (instrument !== undefined && paypal.approve(order.id, instrument)) {
    return redirect(`${returnUrl}?token=${order.id}&PayerID=TESTBUYER2345`);
  }
  return testPage(
    `Pay ${totalOf(order)} with PayPal`,
    `<form method="post">
${actionButton('pay', 'Pay', true)}
${actionButton('declined', 'Pay with a card that is declined')}
${actionButton('pending', 'Pay, but the payment stays pending')}
${actionButton('cancel', 'Cancel')}
</form>`,
  );
}
