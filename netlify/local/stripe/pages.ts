/**
 * What the buyer sees: the hosted page of a session, and a list of all sessions, where payments that
 * take days are settled or failed by hand.
 */
import { escapeMarkup } from '../../lib/escape.ts';
import {
  actionButton,
  linkButton,
  listPage,
  notFoundPage,
  redirect,
  showMoney,
  testPage,
} from '../provider/page.ts';
import type { StripeAccount } from './account.ts';
import { payUrl } from './objects.ts';
import { closeDispute, decideRefund, dispute, refund, refundable } from './refunds.ts';
import { lineTotalOf, totalOf } from './session-params.ts';
import type { StoredSession } from './state.ts';
import { isPaid } from './state.ts';

const PAY_PATH = /^\/c\/pay\/(\w+)$/;

/** @param action of the pressed button; null when the page is only looked at */
export function answerPage(path: string, action: string | null, stripe: StripeAccount): Response {
  const { sessions } = stripe;
  if (path === '/') return listPage('Card payments of this machine', sessions.map(listed));
  const id = PAY_PATH.exec(path)?.[1];
  const session = sessions.find((other) => other.id === id);
  if (session === undefined) return notFoundPage();
  switch (action) {
    case 'pay':
      stripe.pay(session.id);
      break;
    case 'later':
      stripe.payLater(session.id);
      break;
    case 'settle':
      stripe.settle(session.id);
      return redirect('/');
    case 'fail':
      stripe.fail(session.id);
      return redirect('/');
    case 'refund':
    case 'refund-half':
    case 'refund-fails':
    case 'dispute':
    case 'won':
    case 'lost':
      sendBack(session, action, stripe);
      return redirect('/');
    default:
      if (session.status === 'open') return payPage(session, action === 'decline');
      return closedPage(session);
  }
  // Pressed twice, or on a page kept open too long: the session knows better than the button.
  return session.status === 'complete' ? redirect(successUrl(session)) : closedPage(session);
}

/** The literal placeholder is replaced, as the API documents it. */
function successUrl({ id, params }: StoredSession): string {
  return params.success_url.replaceAll('{CHECKOUT_SESSION_ID}', id);
}

function payPage({ params }: StoredSession, wasDeclined: boolean): Response {
  const lines = params.line_items.map((line) => {
    const { name, description } = line.price_data.product_data;
    const more = description === undefined ? '' : `<br><small>${escapeMarkup(description)}</small>`;
    return `<tr><td>${line.quantity} × ${escapeMarkup(name)}${more}</td><td>${usd(lineTotalOf(line))}</td></tr>`;
  });
  const alert = wasDeclined
    ? '<p role="alert">Your card was declined. Nothing was paid; try again or another way.</p>'
    : '';
  const { cancel_url: cancelUrl } = params;
  return testPage(
    `Pay ${usd(totalOf(params))}`,
    `${alert}
<table>
<thead><tr><th scope="col">What you buy</th><th scope="col">Price</th></tr></thead>
<tbody>${lines.join('\n')}</tbody>
<tfoot><tr><th scope="row">Total</th><td>${usd(totalOf(params))}</td></tr></tfoot>
</table>
<p>This page stands in for Stripe on this machine. Choose how the payment ends.</p>
<form method="post">
${actionButton('pay', 'Pay', true)}
${actionButton('decline', 'Pay with a card that is declined')}
${actionButton('later', 'Pay later (the bank takes days)')}
</form>
${cancelUrl === undefined ? '' : linkButton(cancelUrl, 'Cancel and go back')}`,
  );
}

function closedPage(session: StoredSession): Response {
  const { cancel_url: cancelUrl } = session.params;
  if (session.status === 'expired') {
    const back = cancelUrl === undefined ? '' : linkButton(cancelUrl, 'Back to the shop');
    return testPage('This payment page has expired', `<p>Nothing was paid.</p>${back}`);
  }
  return testPage(
    isPaid(session) ? 'This is paid' : 'This payment page is closed',
    `<p>${stateOf(session)}</p>${linkButton(successUrl(session), 'Back to the shop')}`,
  );
}

function listed(session: StoredSession) {
  const { id, params, status, intent } = session;
  const buttons =
    intent?.status === 'processing'
      ? actionButton('settle', 'The money arrives') + actionButton('fail', 'It fails')
      : waysBack(session);
  return {
    title: `${usd(totalOf(params))}, ${stateOf(session)}`,
    reference: params.client_reference_id ?? id,
    payUrl: status === 'open' ? payUrl(session, '') : null,
    decision: buttons === '' ? null : { url: payUrl(session, ''), buttons },
  };
}

/** The buttons of a payment that succeeded. */
function waysBack(session: StoredSession): string {
  const { intent } = session;
  if (intent?.status !== 'succeeded') return '';
  const isOpen = intent.dispute?.status === 'needs_response';
  const hasRefund = intent.refunds?.some(({ status }) => status === 'succeeded');
  return [
    refundable({ session, intent }) > 0 &&
      actionButton('refund-half', 'Refund half') + actionButton('refund', 'Refund the rest'),
    hasRefund && actionButton('refund-fails', 'The last refund fails'),
    !intent.dispute && actionButton('dispute', 'The buyer disputes it'),
    isOpen && actionButton('won', 'The shop wins') + actionButton('lost', 'The shop loses'),
  ]
    .filter((button) => typeof button === 'string')
    .join('');
}

function sendBack(session: StoredSession, action: string, stripe: StripeAccount): void {
  const { intent } = session;
  // Pressed on a page that is out of date.
  if (!intent || !waysBack(session).includes(`value="${action}"`)) return;
  const { id: payment_intent, refunds = [] } = intent;
  const last = refunds.findLast(({ status }) => status === 'succeeded');
  if (action === 'refund') refund(stripe, { payment_intent });
  else if (action === 'refund-half') {
    refund(stripe, { payment_intent, amount: Math.ceil(refundable({ session, intent }) / 2) });
  } else if (action === 'refund-fails') decideRefund(stripe, last?.id ?? '', 'failed');
  else if (action === 'dispute') dispute(stripe, payment_intent);
  else closeDispute(stripe, payment_intent, action === 'won' ? 'won' : 'lost');
}

function stateOf(session: StoredSession): string {
  if (session.status !== 'complete') return session.status === 'open' ? 'not yet paid' : 'expired';
  if (session.intent?.dispute) return `paid, disputed: ${session.intent.dispute.status}`;
  if (session.intent?.refunds) return 'paid, refunded';
  if (isPaid(session)) return 'paid';
  return session.intent?.status === 'processing' ? 'on its way' : 'failed';
}

function usd(cents: number): string {
  return showMoney(cents, 'usd');
}
