/**
 * What the buyer sees. The script `/sdk.js` emulates PayPal's SDK: it opens a dialog in which the buyer
 * approves an order, and the dialog sends requests to `/sdk/orders/`. Without a dialog the buyer approves on
 * the page `/checkoutnow`. Other paths lead to the list of all orders.
 */
import { formatPrice } from '../../../src/domain/money.ts';
import type { Call } from '../provider/emulator.ts';
import { answerList } from '../provider/list-page.ts';
import {
  actionButton,
  actionOf,
  BAND,
  SHARED_STYLE,
  notFoundPage,
  redirect,
  testPage,
} from '../provider/page.ts';
import type { PayPalAccount } from './account.ts';
import type { Instrument, StoredOrder } from './objects.ts';
import { installSdk } from './sdk-in-page.ts';

const DIALOG_PATH = /^\/sdk\/orders\/(\w+)$/;

/** What a buyer can choose; `refused` is for tests. */
const INSTRUMENTS: readonly Instrument[] = ['good', 'declined', 'pending'];

const BUTTONS = [
  actionButton('good', 'Pay', { isMain: true }),
  actionButton('declined', 'Pay with a card that is declined'),
  actionButton('pending', 'Pay, but the payment stays pending'),
  actionButton('cancel', 'Cancel'),
].join('\n');

const DIALOG = `<style>${SHARED_STYLE}
  dialog { box-sizing: border-box; width: min(26rem, 100vw - 2rem); padding: 0 1.25rem; border: 2px solid; border-radius: 2px; }
  dialog::backdrop { background: rgb(0 0 0 / 0.6); }
  .band { margin: 0 -1.25rem; padding-inline: 1.25rem; }
</style>
<dialog aria-labelledby="title">${BAND}
<h2 id="title" aria-live="polite">Waiting for the shop…</h2>
<form method="dialog">${BUTTONS}</form>
</dialog>`;

/** Lets pages of every origin read an answer. */
const OPEN_TO_ALL = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' };

export async function answerPage(call: Call, paypal: PayPalAccount): Promise<Response> {
  if (call.path === '/sdk.js') {
    const settings = JSON.stringify({ apiUrl: paypal.baseUrl, markup: DIALOG });
    const headers = { 'content-type': 'text/javascript; charset=utf-8', ...OPEN_TO_ALL };
    return new Response(`(${installSdk.toString()})(${settings});\n`, { headers });
  }
  const id = DIALOG_PATH.exec(call.path)?.[1] ?? call.query.get('token');
  const order = paypal.checkouts.find((candidate) => candidate.id === id);
  if (DIALOG_PATH.test(call.path)) return answerDialog(call, order, paypal);
  if (call.path === '/checkoutnow') return answerApproval(call, order, paypal);
  const payPathOf = (orderId: string) => `/checkoutnow?token=${orderId}`;
  return answerList(call, 'PayPal payments of this machine', paypal, payPathOf);
}

function answerDialog(call: Call, order: StoredOrder | undefined, paypal: PayPalAccount): Response {
  if (!order) return Response.json({}, { status: 404, headers: OPEN_TO_ALL });
  if (call.method === 'POST' && !approve(call, order, paypal)) {
    return Response.json({}, { status: 409, headers: OPEN_TO_ALL });
  }
  return Response.json({ title: titleOf(order) }, { headers: OPEN_TO_ALL });
}

/** Leads back to the shop as PayPal does: it names a payer only when the buyer has approved. */
function answerApproval(
  call: Call,
  order: StoredOrder | undefined,
  paypal: PayPalAccount,
): Response {
  if (!order) return notFoundPage();
  const { experience_context: urls } = order.request.payment_source.paypal;
  if (actionOf(call) === 'cancel') {
    return redirect(withParams(urls.cancel_url, { token: order.id }));
  }
  if (approve(call, order, paypal)) {
    const params = { token: order.id, PayerID: 'TESTBUYER2345' };
    return redirect(withParams(urls.return_url, params));
  }
  return testPage(titleOf(order), `<form method="post">${BUTTONS}</form>`);
}

/** After a decline PayPal asks for another way to pay the same order. */
function titleOf({ amount, instrument }: StoredOrder): string {
  const pay = `Pay ${formatPrice(amount)} with PayPal`;
  return instrument === 'declined' ? `Your card was declined. ${pay} in another way` : pay;
}

function withParams(href: string, params: Readonly<Record<string, string>>): string {
  const url = new URL(href);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}

/** Approves the order if the buyer has pressed a button that pays. @returns whether it did */
function approve(call: Call, { id }: StoredOrder, paypal: PayPalAccount): boolean {
  const action = actionOf(call);
  const instrument = INSTRUMENTS.find((candidate) => candidate === action);
  return instrument !== undefined && paypal.approve(id, instrument);
}
