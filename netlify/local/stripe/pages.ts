/** What the buyer sees: the hosted page of a session, and the list of all sessions. */
import { escapeMarkup } from '../../lib/escape.ts';
import type { Call } from '../provider/emulator.ts';
import type { ListedPayment } from '../provider/list-page.ts';
import { answerList, waysBack } from '../provider/list-page.ts';
import {
  actionButton,
  actionOf,
  linkButton,
  notFoundPage,
  redirect,
  testPage,
  usd,
} from '../provider/page.ts';
import { stateOf } from '../provider/payment.ts';
import { payUrl } from './objects.ts';
import { lineTotalOf, totalOf } from './session-params.ts';
import type { StoredSession } from './state.ts';
import { isPaid } from './state.ts';
import type { LocalStripe } from './stripe.ts';

const PAY_PATH = /^\/c\/pay\/(\w+)$/;

export async function answerPage(call: Call, stripe: LocalStripe): Promise<Response> {
  const id = PAY_PATH.exec(call.path)?.[1];
  if (id === undefined) {
    const listed = stripe.sessions.map((session) => listedSession(session, stripe));
    return answerList(call, 'Card payments of this machine', listed);
  }
  const session = stripe.sessions.find((other) => other.id === id);
  if (session === undefined) return notFoundPage();
  const action = actionOf(call);
  if (action === 'pay') stripe.pay(id);
  else if (action === 'later') stripe.payLater(id);
  else if (session.status === 'open') return payPage(session, action === 'decline');
  else return closedPage(session);
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
  const total = usd(totalOf(params));
  return testPage(
    `Pay ${total}`,
    `${alert}
<table>
<thead><tr><th scope="col">What you buy</th><th scope="col">Price</th></tr></thead>
<tbody>${lines.join('\n')}</tbody>
<tfoot><tr><th scope="row">Total</th><td>${total}</td></tr></tfoot>
</table>
<p>This page stands in for Stripe on this machine. Choose how the payment ends.</p>
<form method="post">
${actionButton('pay', 'Pay', true)}
${actionButton('decline', 'Pay with a card that is declined')}
${actionButton('later', 'Pay later (the bank takes days)')}
</form>
${linkButton(params.cancel_url, 'Cancel and go back')}`,
  );
}

function closedPage(session: StoredSession): Response {
  if (session.status === 'expired') {
    const back = linkButton(session.params.cancel_url, 'Back to the shop');
    return testPage('This payment page has expired', `<p>Nothing was paid.</p>${back}`);
  }
  return testPage(
    isPaid(session) ? 'This is paid' : 'This payment page is closed',
    `<p>${wordsFor(session)}</p>${linkButton(successUrl(session), 'Back to the shop')}`,
  );
}

function listedSession(session: StoredSession, stripe: LocalStripe): ListedPayment {
  const { id, params, status } = session;
  return {
    id,
    amount: totalOf(params),
    state: wordsFor(session),
    reference: params.client_reference_id,
    payUrl: status === 'open' ? payUrl(session, '') : undefined,
    decisions: decisionsOn(session, stripe),
  };
}

function decisionsOn({ id, intent }: StoredSession, stripe: LocalStripe) {
  if (intent?.status === 'processing') {
    return new Map([
      ['The money arrives', () => stripe.settle(id)],
      ['It fails', () => stripe.fail(id)],
    ]);
  }
  if (intent?.status !== 'succeeded') return new Map();
  const ways = waysBack(stripe, intent);
  const last = intent.refunds.findLast(({ status }) => status === 'succeeded');
  if (last) ways.set('The last refund fails', () => stripe.decideRefund(last.id, 'failed'));
  return ways;
}

function wordsFor({ status, intent }: StoredSession): string {
  if (status !== 'complete') return status === 'open' ? 'not yet paid' : 'expired';
  if (intent?.status === 'succeeded') return stateOf(intent);
  return intent?.status === 'processing' ? 'on its way' : 'failed';
}
