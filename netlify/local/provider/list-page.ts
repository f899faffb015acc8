/** The list of all payments, where a person decides those that wait and sends money back. */
import { escapeMarkup } from '../../lib/escape.ts';
import type { Call } from './emulator.ts';
import {
  actionButton,
  actionOf,
  linkButton,
  notFoundPage,
  redirect,
  testPage,
  usd,
} from './page.ts';
import { type StoredCheckout, stateOf } from './payment.ts';
import type { PaymentEmulator, PaymentState } from './payment-emulator.ts';

const LONGEST_LIST = 100;
const DECISION_PATH = /^\/payments\/(\w+)$/;

/** Answers with the list, or does what a button on it says. */
export function answerList<C extends StoredCheckout, S extends PaymentState<C>>(
  call: Call,
  title: string,
  emulator: PaymentEmulator<C, S>,
): Response {
  const { checkouts } = emulator;
  if (call.path === '/') {
    const sections = checkouts
      .slice(0, LONGEST_LIST)
      .map((checkout) => sectionOf(checkout, emulator));
    const list = sections.join('\n');
    return testPage(title, list || '<p>There is no payment yet. The checkout begins one.</p>');
  }
  const id = DECISION_PATH.exec(call.path)?.[1];
  const checkout = checkouts.find((other) => other.id === id);
  if (checkout === undefined) return notFoundPage();
  // A button of a page that is out of date does nothing.
  emulator.decisionsOn(checkout).get(actionOf(call) ?? '')?.();
  return redirect('/');
}

function sectionOf<C extends StoredCheckout, S extends PaymentState<C>>(
  checkout: C,
  emulator: PaymentEmulator<C, S>,
): string {
  const { id, amount, reference, payment } = checkout;
  const page = payment ? '' : linkButton(emulator.payPathOf(id), 'Open its page');
  const buttons = [...emulator.decisionsOn(checkout).keys()].map((words) =>
    actionButton(words, words),
  );
  const form = `<form class="row" method="post" action="/payments/${id}">${buttons.join('')}</form>`;
  return `<section><h2>${usd(amount)}, ${stateOf(checkout)}</h2>
<p><code>${escapeMarkup(reference)}</code></p>
${page}${buttons.length > 0 ? form : ''}
</section>`;
}
