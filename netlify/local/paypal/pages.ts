/**
 * What the buyer sees without the SDK: the approval page to which an order links, and a list of all
 * orders, where captures that wait are completed or denied by hand.
 */
import { escapeMarkup } from '../../lib/escape.ts';
import { deedButton, goTo, showMoney, testPage } from '../provider/page.ts';
import { approvalUrl, payerId } from './objects.ts';
import type { Orders } from './orders.ts';
import type { Instrument, StoredOrder } from './state.ts';
import { centsOf } from './sums.ts';

const INSTRUMENTS: Readonly<Record<string, Instrument>> = {
  pay: 'good',
  declined: 'declined',
  pending: 'pending',
};

/** @param deed what the pressed button stands for; null when the page is only looked at */
export function answerPage(
  path: string,
  token: string | null,
  deed: string | null,
  orders: Orders,
): Response {
  if (path === '/') return listPage(orders);
  const order = orders.all.find((other) => other.id === token);
  if (path !== '/checkoutnow' || order === undefined) {
    return testPage('There is no such payment', link('/', 'All payments'), 404);
  }
  const instrument = instrumentOf(deed);
  if (instrument !== undefined && orders.approve(order.id, instrument)) return afterwards(order);
  if (deed === 'settle' || deed === 'deny') {
    orders.decide(order.id, deed === 'settle' ? 'COMPLETED' : 'DECLINED');
    return goTo('/');
  }
  return approvalPage(order);
}

/** @returns undefined for anything that is not a way to pay */
export function instrumentOf(deed: unknown): Instrument | undefined {
  return typeof deed === 'string' && Object.hasOwn(INSTRUMENTS, deed)
    ? INSTRUMENTS[deed]
    : undefined;
}

/** What an order says of itself to the SDK's dialog. */
export function summaryOf(order: StoredOrder) {
  const [unit] = order.request.purchase_units;
  return { id: order.id, status: order.status, total: totalOf(order), items: unit.items ?? [] };
}

function afterwards(order: StoredOrder): Response {
  const url = order.request.payment_source?.paypal?.experience_context?.return_url;
  if (url === undefined) return approvalPage(order);
  const back = new URL(url);
  back.searchParams.set('token', order.id);
  back.searchParams.set('PayerID', payerId());
  return goTo(back.href);
}

function approvalPage(order: StoredOrder): Response {
  if (order.status === 'COMPLETED' || order.instrument !== null) {
    return testPage(`${totalOf(order)}: ${stateOf(order)}`, '<p>Go back to the shop.</p>');
  }
  const cancelUrl = order.request.payment_source?.paypal?.experience_context?.cancel_url;
  const cancel = cancelUrl === undefined ? '' : link(cancelUrl, 'Cancel and go back');
  return testPage(
    `Pay ${totalOf(order)}`,
    `<p>This page stands in for PayPal on this machine. Choose how the payment ends.</p>
<form method="post">
${deedButton('pay', 'Pay', true)}
${deedButton('declined', 'Pay with a card that is declined')}
${deedButton('pending', 'Pay, but the payment stays pending')}
</form>
${cancel}`,
  );
}

function listPage(orders: Orders): Response {
  const entries = orders.all.slice(0, 100).map((order) => {
    const reference = order.request.purchase_units[0].custom_id ?? order.id;
    const approval = escapeMarkup(approvalUrl(order, ''));
    const deeds =
      order.capture?.status === 'PENDING'
        ? `<form class="row" method="post" action="${approval}">
${deedButton('settle', 'The money arrives')}${deedButton('deny', 'It is denied')}</form>`
        : '';
    const open = order.instrument === null ? link(approval, 'Open its page') : '';
    return `<section><h2>${totalOf(order)}, ${stateOf(order)}</h2>
<p><code>${escapeMarkup(reference)}</code></p>${open}${deeds}</section>`;
  });
  const none = '<p>There is no payment yet. Choosing PayPal at the checkout begins one.</p>';
  return testPage('PayPal payments of this machine', entries.join('\n') || none);
}

function stateOf(order: StoredOrder): string {
  if (order.capture === null) return order.instrument === null ? 'not yet paid' : 'approved';
  return { COMPLETED: 'paid', PENDING: 'pending', DECLINED: 'declined' }[order.capture.status];
}

function totalOf(order: StoredOrder): string {
  const [{ amount }] = order.request.purchase_units;
  return showMoney(centsOf(amount), amount.currency_code);
}

function link(url: string, label: string): string {
  return `<p><a class="button" href="${escapeMarkup(url)}">${label}</a></p>`;
}
