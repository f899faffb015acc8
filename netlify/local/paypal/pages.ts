/**
 * The page on which a buyer approves an order where the SDK's emulator opens no dialog, and the list of
 * all orders, where captures that wait are completed or denied by hand.
 */
import type { Call } from '../provider/emulator.ts';
import {
  actionButton,
  listPage,
  notFoundPage,
  redirect,
  showMoney,
  testPage,
} from '../provider/page.ts';
import type { PayPalAccount } from './account.ts';
import { INSTRUMENTS, type StoredOrder } from './state.ts';
import { centsOf } from './sums.ts';

const ORDER_PATH = /^\/orders\/(\w+)$/;

/** @param action of the pressed button; null when the page is only looked at */
export function answerPage(
  { path, query }: Call,
  action: string | null,
  paypal: PayPalAccount,
): Response {
  if (path === '/checkoutnow') return approvalPage(query.get('token'), action, paypal);
  if (path === '/') return listPage('PayPal payments of this machine', paypal.orders.map(listed));
  const id = ORDER_PATH.exec(path)?.[1];
  const order = paypal.orders.find((other) => other.id === id);
  if (order === undefined || (action !== 'settle' && action !== 'deny')) return notFoundPage();
  paypal[action](order.id);
  return redirect('/');
}

/** Leads back to the shop as PayPal does: a payer is named only when the buyer has approved. */
function approvalPage(id: string | null, action: string | null, paypal: PayPalAccount): Response {
  const order = paypal.orders.find((other) => other.id === id);
  const { return_url: returnUrl, cancel_url: cancelUrl } =
    order?.request.payment_source.paypal.experience_context ?? {};
  if (!order || returnUrl === undefined || cancelUrl === undefined) return notFoundPage();
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

export function totalOf(order: StoredOrder): string {
  const [{ amount }] = order.request.purchase_units;
  return showMoney(centsOf(amount), amount.currency_code);
}

function listed(order: StoredOrder) {
  const buttons =
    actionButton('settle', 'The money arrives') + actionButton('deny', 'It is denied');
  const isPending = order.capture?.status === 'PENDING';
  return {
    title: `${totalOf(order)}, ${stateOf(order)}`,
    reference: order.request.purchase_units[0].custom_id ?? order.id,
    payUrl: null,
    decision: isPending ? { url: `/orders/${order.id}`, buttons } : null,
  };
}

function stateOf(order: StoredOrder): string {
  if (order.capture === null) return order.instrument === null ? 'not yet paid' : 'approved';
  return { COMPLETED: 'paid', PENDING: 'pending', DECLINED: 'declined' }[order.capture.status];
}
