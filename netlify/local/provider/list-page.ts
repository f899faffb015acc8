/** The newest payments. A person settles pending ones here, and refunds or disputes those that succeeded. */
import { formatPrice } from '../../../src/domain/money.ts';
import { escapeMarkup } from '../../lib/escape.ts';
import type { Call, Decisions, Emulator } from './emulator.ts';
import { actionButton, actionOf, linkButton, notFoundPage, redirect, testPage } from './page.ts';
import { type StoredCheckout, stateOf } from './payment.ts';

const LONGEST_LIST = 100;
const DECISION_PATH = /^\/payments\/(\w+)$/;

/**
 * Answers with the list, or does what a button on it says.
 *
 * @param payPathOf gives the path of the page on which the buyer pays
 */
export function answerList<Checkout extends StoredCheckout>(
  call: Call,
  title: string,
  emulator: Emulator<Checkout>,
  payPathOf: (checkoutId: string) => string,
): Response {
  const { checkouts } = emulator;
  if (call.path === '/') {
    const sections = checkouts.slice(0, LONGEST_LIST).map((checkout) => {
      return sectionOf(checkout, payPathOf(checkout.id), emulator.decisionsOn(checkout));
    });
    return testPage(
      title,
      sections.join('\n') || '<p>There is no payment yet. The checkout begins one.</p>',
    );
  }
  const id = DECISION_PATH.exec(call.path)?.[1];
  const checkout = checkouts.find((other) => other.id === id);
  if (checkout === undefined) return notFoundPage();
  // The page may be out of date: a decision that is no longer possible does nothing.
  emulator.decisionsOn(checkout).get(actionOf(call) ?? '')?.();
  return redirect('/');
}

function sectionOf(checkout: StoredCheckout, payPath: string, decisions: Decisions): string {
  const { id, amount, reference, payment } = checkout;
  const payLink = payment ? '' : linkButton(payPath, 'Open its page');
  const buttons = [...decisions.keys()].map((words) => actionButton(words, words));
  const form = `<form class="row" method="post" action="/payments/${id}">${buttons.join('')}</form>`;
  return `<section><h2>${formatPrice(amount)}, ${stateOf(checkout)}</h2>
<p><code>${escapeMarkup(reference)}</code></p>
${payLink}${buttons.length > 0 ? form : ''}
</section>`;
}
