/** The list of all payments, where a person decides those that wait and sends money back. */
import { escapeMarkup } from '../../lib/escape.ts';
import type { Call, Emulator, EmulatorState } from './emulator.ts';
import {
  actionButton,
  actionOf,
  linkButton,
  notFoundPage,
  redirect,
  testPage,
  usd,
} from './page.ts';
import type { StoredPayment } from './payment.ts';

/** By the words of its button, what a person can decide about a payment now. */
export type Decisions = ReadonlyMap<string, () => unknown>;

export interface ListedPayment {
  readonly id: string;
  readonly amount: number;
  /** In words. */
  readonly state: string;
  /** What the shop calls it. */
  readonly reference: string;
  /** Of the page where it can be paid, while it can. */
  readonly payUrl?: string | undefined;
  readonly decisions: Decisions;
}

const LONGEST_LIST = 100;
const DECISION_PATH = /^\/payments\/(\w+)$/;

/** Answers with the list, or does what a button on it says. */
export function answerList(
  call: Call,
  title: string,
  payments: readonly ListedPayment[],
): Response {
  if (call.path === '/') {
    const sections = payments.slice(0, LONGEST_LIST).map(sectionOf).join('\n');
    return testPage(title, sections || '<p>There is no payment yet. The checkout begins one.</p>');
  }
  const id = DECISION_PATH.exec(call.path)?.[1];
  const payment = payments.find((other) => other.id === id);
  if (payment === undefined) return notFoundPage();
  // A button of a page that is out of date does nothing.
  payment.decisions.get(actionOf(call) ?? '')?.();
  return redirect('/');
}

/** How the money of a payment that succeeded goes back. */
export function waysBack<State extends EmulatorState>(
  emulator: Emulator<State>,
  payment: StoredPayment,
): Map<string, () => unknown> {
  const { id, dispute } = payment;
  const left = emulator.refundable(payment);
  const ways = new Map<string, () => unknown>();
  if (left > 0) {
    ways.set('Refund half', () => emulator.refund(id, Math.ceil(left / 2)));
    ways.set('Refund the rest', () => emulator.refund(id));
  }
  if (dispute === null) ways.set('The buyer disputes it', () => emulator.dispute(id));
  if (dispute?.status === 'open') {
    ways.set('The shop wins', () => emulator.closeDispute(id, 'won'));
    ways.set('The shop loses', () => emulator.closeDispute(id, 'lost'));
  }
  return ways;
}

function sectionOf({ id, amount, state, reference, payUrl, decisions }: ListedPayment): string {
  const buttons = [...decisions.keys()].map((words) => actionButton(words, words));
  const form = `<form class="row" method="post" action="/payments/${id}">${buttons.join('')}</form>`;
  return `<section><h2>${usd(amount)}, ${state}</h2>
<p><code>${escapeMarkup(reference)}</code></p>
${payUrl === undefined ? '' : linkButton(payUrl, 'Open its page')}${buttons.length > 0 ? form : ''}
</section>`;
}
