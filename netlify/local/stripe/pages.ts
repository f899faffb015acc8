/**
 * What the buyer sees: the hosted page of a session, and a list of all sessions, where payments that
 * take days are settled or failed by hand.
 */
import { escapeMarkup } from '../../lib/escape.ts';
import { deedButton, goTo, showMoney, testPage } from '../provider/page.ts';
import { payUrl } from './objects.ts';
import { lineTotalOf, totalOf } from './session-params.ts';
import type { Sessions } from './sessions.ts';
import type { StoredSession } from './state.ts';
import { isPaid } from './state.ts';

const PAY_PATH = /^\/c\/pay\/(\w+)$/;

/** @param deed what the pressed button stands for; undefined when the page is only looked at */
export function answerPage(path: string, deed: string | null, sessions: Sessions): Response {
  const id = PAY_PATH.exec(path)?.[1];
  const session = sessions.all.find((other) => other.id === id);
  if (path === '/') return listPage(sessions);
  if (session === undefined) return testPage('There is no such payment', homeLink(), 404);
  switch (deed) {
    case 'pay':
      sessions.pay(session.id);
      break;
    case 'later':
      sessions.payLater(session.id);
      break;
    case 'settle':
      sessions.settle(session.id);
      return goTo('/');
    case 'fail':
      sessions.fail(session.id);
      return goTo('/');
    case 'decline':
      return session.status === 'open' ? payPage(session, true) : closedPage(session);
    default:
      return session.status === 'open' ? payPage(session, false) : closedPage(session);
  }
  // Pressed twice, or on a page kept open too long: the session knows better than the button.
  return session.status === 'complete' ? goTo(successUrl(session)) : closedPage(session);
}

/** The literal placeholder is replaced, as the API documents it. */
export function successUrl({ id, params }: StoredSession): string {
  return params.success_url.replaceAll('{CHECKOUT_SESSION_ID}', id);
}

function payPage(session: StoredSession, wasDeclined: boolean): Response {
  const { params } = session;
  const lines = params.line_items.map((line) => {
    const { name, description } = line.price_data.product_data;
    const more = description === undefined ? '' : `<br><small>${escapeMarkup(description)}</small>`;
    return `<tr><td>${line.quantity} × ${escapeMarkup(name)}${more}</td><td>${usd(lineTotalOf(line))}</td></tr>`;
  });
  const alert = wasDeclined
    ? '<p role="alert">Your card was declined. Nothing was paid; try again or another way.</p>'
    : '';
  const cancel =
    params.cancel_url === undefined
      ? ''
      : `<p><a class="button" href="${escapeMarkup(params.cancel_url)}">Cancel and go back</a></p>`;
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
${deedButton('pay', 'Pay', true)}
${deedButton('decline', 'Pay with a card that is declined')}
${deedButton('later', 'Pay later (the bank takes days)')}
</form>
${cancel}`,
  );
}

function closedPage(session: StoredSession): Response {
  const { cancel_url: cancelUrl } = session.params;
  if (session.status === 'expired') {
    const back = cancelUrl === undefined ? '' : link(cancelUrl, 'Back to the shop');
    return testPage('This payment page has expired', `<p>Nothing was paid.</p>${back}`);
  }
  return testPage(
    isPaid(session) ? 'This is paid' : 'This payment page is closed',
    `<p>${stateOf(session)}</p>${link(successUrl(session), 'Back to the shop')}`,
  );
}

function listPage(sessions: Sessions): Response {
  const entries = sessions.all.slice(0, 100).map((session) => {
    const isUnderWay = session.intent?.status === 'processing';
    const deeds = isUnderWay
      ? `<form class="row" method="post" action="/c/pay/${session.id}">
${deedButton('settle', 'The money arrives')}${deedButton('fail', 'It fails')}</form>`
      : '';
    const open = session.status === 'open' ? link(payUrl(session, ''), 'Open its page') : '';
    const reference = session.params.client_reference_id ?? session.id;
    return `<section><h2>${usd(totalOf(session.params))}, ${escapeMarkup(stateOf(session))}</h2>
<p><code>${escapeMarkup(reference)}</code></p>${open}${deeds}</section>`;
  });
  const none = '<p>There is no payment yet. Choosing the card at the checkout begins one.</p>';
  return testPage('Card payments of this machine', entries.join('\n') || none);
}

function stateOf(session: StoredSession): string {
  if (session.status !== 'complete') return session.status === 'open' ? 'not yet paid' : 'expired';
  if (isPaid(session)) return 'paid';
  return session.intent?.status === 'processing' ? 'on its way' : 'failed';
}

function homeLink(): string {
  return link('/', 'All payments');
}

function link(url: string, label: string): string {
  return `<p><a class="button" href="${escapeMarkup(url)}">${label}</a></p>`;
}

function usd(cents: number): string {
  return showMoney(cents, 'usd');
}
