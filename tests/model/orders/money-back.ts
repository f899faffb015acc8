/** Refunds and disputes: which can happen at the providers, and what orders must show of them. */
import * as atPayPal from '../../../netlify/local/paypal/refunds.ts';
import { refundable as leftAtPayPal } from '../../../netlify/local/paypal/sums.ts';
import * as atStripe from '../../../netlify/local/stripe/refunds.ts';
import type { Chance } from '../kit/chance.ts';
import { countedEvents } from './fake-database.ts';
import type { Providers } from './providers.ts';
import type { WorldView } from './world-view.ts';

/** Something that can happen to a payment. The action returns false when it is too late. */
export type WeightedEvent = readonly [weight: number, text: string, action: () => boolean];

/** All refunds and disputes that can happen now. */
export function refundsAndDisputes({ stripe, paypal }: Providers, chance: Chance): WeightedEvent[] {
  const all: WeightedEvent[] = [];
  for (const session of stripe.sessions) {
    const { intent } = session;
    if (intent?.status !== 'succeeded') continue;
    const left = atStripe.refundable({ session, intent });
    const params = { payment_intent: intent.id, amount: amountOf(left, chance) };
    const status = chance.happens(0.3) ? 'pending' : 'succeeded';
    const refund = () => Boolean(atStripe.refund(stripe, params, status));
    // The text has a number, because the refund's id is drawn from it, and two refunds need two ids.
    const next = `${intent.id}: refund ${(intent.refunds ?? []).length + 1}`;
    if (left > 0) all.push([0.6, `${next}, of ${params.amount}, ${status}`, refund]);
    for (const { id, status: oldStatus } of intent.refunds ?? []) {
      for (const end of oldStatus === 'failed' ? [] : (['succeeded', 'failed'] as const)) {
        all.push([0.3, `${id}: ${end}`, () => atStripe.decideRefund(stripe, id, end)]);
      }
    }
    all.push([0.2, `${intent.id} is disputed`, () => atStripe.dispute(stripe, intent.id)]);
    for (const end of ['won', 'lost'] as const) {
      const close = () => atStripe.closeDispute(stripe, intent.id, end);
      if (intent.dispute) all.push([0.5, `${intent.id}: the dispute is ${end}`, close]);
    }
  }
  for (const order of paypal.orders) {
    const { capture } = order;
    if (capture?.status !== 'COMPLETED') continue;
    const { id } = capture;
    const left = leftAtPayPal({ order, capture });
    const cents = amountOf(left, chance);
    const refund = () => Boolean(atPayPal.refund(paypal, id, cents));
    const next = `${id}: refund ${(capture.refunds ?? []).length + 1}`;
    if (left > 0) all.push([0.6, `${next}, of ${cents}`, refund]);
    all.push([0.2, `${id} is disputed`, () => atPayPal.dispute(paypal, id)]);
    for (const end of ['won', 'lost'] as const) {
      const close = () => atPayPal.closeDispute(paypal, id, end);
      if (capture.dispute) all.push([0.5, `${id}: the dispute is ${end}`, close]);
    }
  }
  return all;
}

/** A random part of what is left, or all of it. */
function amountOf(left: number, chance: Chance): number {
  return left > 1 && chance.happens(0.6) ? chance.between(1, left) : left;
}

/** What went back of a payment. */
interface MoneyBack {
  readonly refunded: number;
  readonly dispute: 'open' | 'won' | 'lost' | null;
}

/** What went back of each payment, by provider and payment id. */
function moneyBackByPayment({ stripe, paypal }: Providers): ReadonlyMap<string, MoneyBack> {
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const back = new Map<string, MoneyBack>();
  for (const { intent } of stripe.sessions) {
    if (!intent) continue;
    const done = (intent.refunds ?? []).filter(({ status }) => status === 'succeeded');
    const status = intent.dispute?.status;
    const dispute = status === 'needs_response' ? 'open' : (status ?? null);
    back.set(`stripe${intent.id}`, { refunded: sum(done.map(({ amount }) => amount)), dispute });
  }
  for (const { capture } of paypal.orders) {
    if (!capture) continue;
    const refunded = sum((capture.refunds ?? []).map(({ cents }) => cents));
    const dispute = capture.dispute ? (capture.dispute.outcome ?? 'open') : null;
    back.set(`paypal${capture.id}`, { refunded, dispute });
  }
  return back;
}

/** Each order shows exactly what went back of the payments that it counts. */
export function checkMoneyBack({ oracle, providers, parts }: WorldView): void {
  const { verdicts } = parts;
  const back = moneyBackByPayment(providers);
  for (const order of oracle.rows.orders) {
    const payments = countedEvents(oracle.rows).filter((event) => event.order === order.id);
    const backOfOrder = payments.map(({ provider, capture }) => back.get(`${provider}${capture}`));
    const refunded = backOfOrder.reduce((sum, each) => sum + (each?.refunded ?? 0), 0);
    const received = payments.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
    const disputes = new Set(backOfOrder.map((each) => each?.dispute));
    const dispute = (['open', 'lost', 'won'] as const).find((state) => disputes.has(state));
    const shown = [order.received, order.refunded, order.dispute];
    const expected = [received, refunded, dispute ?? null];
    if (JSON.stringify(shown) !== JSON.stringify(expected)) {
      verdicts.break(
        'back',
        `order ${order.id} shows ${shown.join(', ')}, not ${expected.join(', ')}`,
      );
    }
    if (refunded > 0) verdicts.count('orders refunded');
    if (dispute !== undefined) verdicts.count(`orders disputed ${dispute}`);
  }
}
