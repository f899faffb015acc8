/** What the buyer sees: the hosted page of a session. Other paths lead to the list of all sessions. */
import { formatPrice } from '../../../src/domain/money.ts';
import { escapeMarkup } from '../../lib/escape.ts';
import type { Call } from '../provider/emulator.ts';
import { answerList } from '../provider/list-page.ts';
import {
  actionButton,
  actionOf,
  linkButton,
  notFoundPage,
  redirect,
  testPage,
} from '../provider/page.ts';
import { stateOf } from '../provider/payment.ts';
import type { StripeAccount } from './account.ts';
import { lineAmount, payPathOf, type StoredSession } from './objects.ts';

const PAY_PATH = /^\/c\/pay\/(\w+)$/;

export async function answerPage(call: Call, stripe: StripeAccount): Promise<Response> {
  const id = PAY_PATH.exec(call.path)?.[1];
  if (id === undefined) return answerList(call, 'Card payments of this machine', stripe, payPathOf);
  const session = stripe.checkouts.find((candidate) => candidate.id === id);
  if (session === undefined) return notFoundPage();
  const action = actionOf(call);
  if (action === 'pay') stripe.pay(id);
  else if (action === 'later') stripe.pay(id, 'pending');
  else if (session.status === 'open')
    return payPage(session, { wasDeclined: action === 'decline' });
  else return closedPage(session);
  // A button may be pressed twice, or on a page kept open too long, so the session decides the answer.
  return session.status === 'complete' ? redirect(successUrl(session)) : closedPage(session);
}

/** The literal placeholder is replaced, as the API documents it. */
function successUrl({ id, params }: StoredSession): string {
  return params.success_url.replaceAll('{CHECKOUT_SESSION_ID}', id);
}

function payPage({ amount, params }: StoredSession, { wasDeclined = false }): Response {
  const lines = params.line_items.map((line) => {
    const { name, description } = line.price_data.product_data;
    const more = description === undefined ? '' : `<br><small>${escapeMarkup(description)}</small>`;
    return `<tr><td>${escapeMarkup(line.quantity)} × ${escapeMarkup(name)}${more}</td><td>${formatPrice(lineAmount(line))}</td></tr>`;
  });
  const alert = wasDeclined
    ? '<p role="alert">Your card was declined. Nothing was paid; try again or another way.</p>'
    : '';
  return testPage(
    `Pay ${formatPrice(amount)}`,
    `${alert}
<table>
<thead><tr><th scope="col">What you buy</th><th scope="col">Price</th></tr></thead>
<tbody>${lines.join('\n')}</tbody>
<tfoot><tr><th scope="row">Total</th><td>${formatPrice(amount)}</td></tr></tfoot>
</table>
<p>This page stands in for Stripe on this machine. Choose how the payment ends.</p>
<form method="post">
${actionButton('pay', 'Pay', { isMain: true })}
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
    session.payment?.status === 'succeeded' ? 'This is paid' : 'This payment page is closed',
    `<p>${stateOf(session)}</p>${linkButton(successUrl(session), 'Back to the shop')}`,
  );
}
