/** Refunds and disputes: which ones can happen at the providers, and what orders must show of them. */
import type { StoredRefund } from '../../../netlify/local/provider/payment.ts';
import type { Chance } from '../kit/chance.ts';
import { countedEvents } from './model-database.ts';
import type { Providers } from './providers.ts';
import type { WorldView } from './world-view.ts';

/** Something that can happen to a payment. The action returns false when it is no longer possible. */
export type WeightedEvent = readonly [weight: number, text: string, action: () => boolean];

/** All refunds and disputes that can happen now. */
export function refundsAndDisputes({ stripe, paypal }: Providers, chance: Chance): WeightedEvent[] {
  const events: WeightedEvent[] = [];
  for (const emulator of [stripe, paypal]) {
    for (const payment of emulator.payments) {
      const { id, refunds, dispute } = payment;
      const left = emulator.refundable(payment);
      const amount = amountOf(left, chance);
      const status = emulator === stripe && chance.happens(0.3) ? 'pending' : 'succeeded';
      const refund = () => Boolean(emulator.refund(id, amount, status));
      // This text seeds the id of the refund (`seedIds`). The number makes the ids of two refunds differ.
      const text = `${id}: refund ${refunds.length + 1}, of ${amount}, ${status}`;
      if (left > 0) events.push([0.6, text, refund]);
      if (emulator === stripe) events.push(...decisionsOnRefunds(stripe, refunds));
      events.push([0.2, `${id} is disputed`, () => emulator.dispute(id)]);
      for (const end of ['won', 'lost'] as const) {
        const close = () => emulator.closeDispute(id, end);
        if (dispute) events.push([0.5, `${id}: the dispute is ${end}`, close]);
      }
    }
  }
  return events;
}

/** A pending refund can succeed or fail, and a refund that succeeded can still fail. */
function decisionsOnRefunds(
  stripe: Providers['stripe'],
  refunds: readonly StoredRefund[],
): WeightedEvent[] {
  const undecided = refunds.filter(({ status }) => status !== 'failed');
  return undecided.flatMap(({ id }) =>
    (['succeeded', 'failed'] as const).map((end): WeightedEvent => {
      return [0.3, `${id}: ${end}`, () => stripe.decideRefund(id, end)];
    }),
  );
}

/** A random part of what is left, or all of it. */
function amountOf(left: number, chance: Chance): number {
  return left > 1 && chance.happens(0.6) ? chance.between(1, left) : left;
}

/** The money of one payment that went back to the buyer. */
interface MoneyBack {
  /** In cents. */
  readonly refunded: number;
  readonly dispute: 'open' | 'won' | 'lost' | null;
}

/** By `<provider><payment id>`. */
function moneyBackByPayment({ stripe, paypal }: Providers): ReadonlyMap<string, MoneyBack> {
  const moneyBack = new Map<string, MoneyBack>();
  for (const [provider, { payments }] of Object.entries({ stripe, paypal })) {
    for (const { id, refunds, dispute } of payments) {
      const succeeded = refunds.filter(({ status }) => status === 'succeeded');
      const refunded = succeeded.reduce((sum, { amount }) => sum + amount, 0);
      moneyBack.set(`${provider}${id}`, { refunded, dispute: dispute?.status ?? null });
    }
  }
  return moneyBack;
}

/** Checks that each order shows exactly the refunds and disputes of its payments. */
export function checkMoneyBack({ oracle, providers, verdicts }: WorldView): void {
  const moneyBack = moneyBackByPayment(providers);
  for (const order of oracle.rows.orders) {
    const payments = countedEvents(oracle.rows).filter((event) => event.order === order.id);
    const ofOrder = payments.map(({ provider, capture }) => moneyBack.get(`${provider}${capture}`));
    const refunded = ofOrder.reduce((sum, payment) => sum + (payment?.refunded ?? 0), 0);
    const received = payments.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
    const disputes = new Set(ofOrder.map((payment) => payment?.dispute));
    // An order shows `open` while any dispute is open, else `lost` when one was lost.
    const dispute = (['open', 'lost', 'won'] as const).find((state) => disputes.has(state));
    const shown = [order.received, order.refunded, order.dispute];
    const expected = [received, refunded, dispute ?? null];
    if (JSON.stringify(shown) !== JSON.stringify(expected)) {
      const text = `order ${order.id} shows ${shown.join(', ')}, not ${expected.join(', ')}`;
      verdicts.break('back', text);
    }
    if (refunded > 0) verdicts.count('orders refunded');
    if (dispute !== undefined) verdicts.count(`orders disputed ${dispute}`);
  }
}
