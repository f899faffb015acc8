/**
 * The list of all orders, where captures that wait are completed or denied by hand. The buyer pays
 * in the dialog of the SDK's emulator or on its page (`approval-page.ts`).
 */
import { actionButton, listPage, notFoundPage, redirect, showMoney } from '../provider/page.ts';
import type { PayPalAccount } from './account.ts';
import type { StoredOrder } from './state.ts';
import { centsOf } from './sums.ts';

const ORDER_PATH = /^\/orders\/(\w+)$/;

/** @param action of the pressed button; null when the page is only looked at */
export function answerPage(path: string, action: string | null, paypal: PayPalAccount): Response {
  if (path === '/') return listPage('PayPal payments of this machine', paypal.orders.map(listed));
  const id = ORDER_PATH.exec(path)?.[1];
  const order = paypal.orders.find((other) => other.id === id);
  if (order === undefined || (action !== 'settle' && action !== 'deny')) return notFoundPage();
  paypal[action](order.id);
  return redirect('/');
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
