/**
 * The list of all orders, where captures that wait are completed or denied by hand, and others are
 * refunded or disputed. The buyer pays in the dialog of the SDK's emulator or on its page
 * (`approval-page.ts`).
 */
import { actionButton, listPage, notFoundPage, redirect, showMoney } from '../provider/page.ts';
import type { PayPalAccount } from './account.ts';
import { closeDispute, dispute, refund } from './refunds.ts';
import type { StoredOrder } from './state.ts';
import { centsOf, refundable } from './sums.ts';

const ORDER_PATH = /^\/orders\/(\w+)$/;

/** @param action of the pressed button; null when the page is only looked at */
export function answerPage(path: string, action: string | null, paypal: PayPalAccount): Response {
  if (path === '/') return listPage('PayPal payments of this machine', paypal.orders.map(listed));
  const id = ORDER_PATH.exec(path)?.[1];
  const order = paypal.orders.find((other) => other.id === id);
  if (order === undefined || action === null) return notFoundPage();
  // A button of a page that is out of date does nothing.
  if (buttonsOf(order).includes(`value="${action}"`)) decide(paypal, order, action);
  return redirect('/');
}

function decide(paypal: PayPalAccount, { id, capture, request }: StoredOrder, action: string) {
  const captureId = capture?.id ?? '';
  switch (action) {
    case 'settle':
    case 'deny':
      return paypal[action](id);
    case 'refund':
      return refund(paypal, captureId);
    case 'refund-half':
      return refund(paypal, captureId, Math.ceil(centsOf(request.purchase_units[0].amount) / 2));
    case 'dispute':
      return dispute(paypal, captureId);
    case 'won':
    case 'lost':
      return closeDispute(paypal, captureId, action);
    default:
      return undefined;
  }
}

/** What can be decided about a payment. */
function buttonsOf(order: StoredOrder): string {
  const { capture } = order;
  if (capture?.status === 'PENDING') {
    return actionButton('settle', 'The money arrives') + actionButton('deny', 'It is denied');
  }
  if (capture?.status !== 'COMPLETED') return '';
  const left = refundable({ order, capture });
  const isOpen = capture.dispute?.outcome === null;
  return [
    !capture.refunds && actionButton('refund-half', 'Refund half'),
    left > 0 && actionButton('refund', 'Refund the rest'),
    !capture.dispute && actionButton('dispute', 'The buyer disputes it'),
    isOpen && actionButton('won', 'The shop wins') + actionButton('lost', 'The shop loses'),
  ]
    .filter((button) => typeof button === 'string')
    .join('');
}

export function totalOf(order: StoredOrder): string {
  const [{ amount }] = order.request.purchase_units;
  return showMoney(centsOf(amount), amount.currency_code);
}

function listed(order: StoredOrder) {
  const buttons = buttonsOf(order);
  return {
    title: `${totalOf(order)}, ${stateOf(order)}`,
    reference: order.request.purchase_units[0].custom_id ?? order.id,
    payUrl: null,
    decision: buttons === '' ? null : { url: `/orders/${order.id}`, buttons },
  };
}

function stateOf(order: StoredOrder): string {
  if (order.capture === null) return order.instrument === null ? 'not yet paid' : 'approved';
  if (order.capture.dispute) return `paid, disputed: ${order.capture.dispute.outcome ?? 'open'}`;
  if (order.capture.refunds) return 'paid, refunded';
  return { COMPLETED: 'paid', PENDING: 'pending', DECLINED: 'declined' }[order.capture.status];
}
