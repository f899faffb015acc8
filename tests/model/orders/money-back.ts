/** Refunds and disputes: what happens at the providers, and what orders must show of it in the end. */
import * as atPayPal from '../../../netlify/local/paypal/refunds.ts';
import { refundable as leftAtPayPal } from '../../../netlify/local/paypal/sums.ts';
import * as atStripe from '../../../netlify/local/stripe/refunds.ts';
import type { Chance } from '../kit/chance.ts';
import type { Providers } from './providers.ts';
import type { WorldView } from './world-view.ts';

/** Something that can happen to a payment, with how probable it is. */
export type Happening = readonly [weight: number, what: string, action: () => boolean];

/** Everything that can happen now to the payments that were taken. */
export function happenings({ stripe, paypal }: Providers, chance: Chance): Happening[] {
  const all: Happening[] = [];
  for (const session of stripe.sessions) {
    const { intent } = session;
    if (intent?.status !== 'succeeded') continue;
    const left = atStripe.refundable({ session, intent });
    const params = { payment_intent: intent.id, amount: amountOf(left, chance) };
    const status = chance.happens(0.3) ? 'pending' : 'succeeded';
    const refund = () => Boolean(atStripe.refund(stripe, params, status));
    // Numbered, because the providers draw their ids from what happens: two refunds are not one.
    const next = `${intent.id}: refund ${(intent.refunds ?? []).length + 1}`;
    if (left > 0) all.push([0.6, `${next}, of ${params.amount}, ${status}`, refund]);
    for (const { id, status: now } of intent.refunds ?? []) {
      for (const end of now === 'failed' ? [] : (['succeeded', 'failed'] as const)) {
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

/** A part, or the whole. */
function amountOf(left: number, chance: Chance): number {
  return left > 1 && chance.happens(0.6) ? chance.between(1, left) : left;
}

interface Back {
  readonly refunded: number;
  readonly dispute: 'open' | 'won' | 'lost' | null;
}

/** By provider and payment. */
function backAtProviders({ stripe, paypal }: Providers): ReadonlyMap<string, Back> {
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const back = new Map<string, Back>();
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
export function checkBack({ oracle, providers, parts }: WorldView): void {
  const { verdicts } = parts;
  const back = backAtProviders(providers);
  for (const order of oracle.seen.orders) {
    const payments = oracle.seen.event.filter(
      (row) =>
        row.order === order.id &&
        row.outcome === 'captured' &&
        !['repeat', 'unknown'].includes(row.result),
    );
    const all = payments.map(({ provider, capture }) => back.get(`${provider}${capture}`));
    const refunded = all.reduce((sum, each) => sum + (each?.refunded ?? 0), 0);
    const received = payments.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
    const disputes = new Set(all.map((each) => each?.dispute));
    const dispute = (['open', 'lost', 'won'] as const).find((state) => disputes.has(state));
    const shown = [order.received, order.refunded, order.dispute];
    const should = [received, refunded, dispute ?? null];
    if (JSON.stringify(shown) !== JSON.stringify(should)) {
      verdicts.break(
        'back',
        `order ${order.id} shows ${shown.join(', ')}, not ${should.join(', ')}`,
      );
    }
    if (refunded > 0) verdicts.count('orders refunded');
    if (dispute !== undefined) verdicts.count(`orders disputed ${dispute}`);
  }
}
