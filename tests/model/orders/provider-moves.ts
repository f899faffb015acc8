/** The moves of buyers, banks and providers in an exhaustive search (explore.ts). */
import type { World } from './world.ts';

/**
 * Kinds of moves that a scenario limits. Those whose name does not say it:
 *
 * - `cancel`   the shop's staff cancel an order
 * - `give up`  the shopper cancels an order
 * - `other`    the second phone begins to pay by card
 * - `again`    the second phone begins to pay although the shop has told it of a payment under way
 * - `fault`    a function dies, or an answer is lost
 */
export type MoveKind =
  | 'card'
  | 'paypal'
  | 'capture'
  | 'status'
  | 'reconcile'
  | 'webhook'
  | 'pay'
  | 'pay later'
  | 'decide'
  | 'approve'
  | 'approve declined'
  | 'minutes'
  | 'hour'
  | 'cancel'
  | 'give up'
  | 'delete'
  | 'refund'
  | 'dispute'
  | 'other'
  | 'again'
  | 'restore'
  | 'fault';

export interface Move {
  readonly name: string;
  /** Null for moves without a limit, by which a function makes its next call. */
  readonly kind: MoveKind | null;
  readonly make: () => unknown;
}

/** Adds a move, unless moves of its kind have reached their limit. */
export type AddMove = (kind: MoveKind | null, name: string, make: Move['make']) => void;

/** Adds payments, refunds, disputes and webhooks that are possible now. */
export function addProviderMoves(world: World, add: AddMove): void {
  const { providers, facts } = world;
  const stripe = (seed: string) => providers.seedIds(seed).stripe;
  const paypal = (seed: string) => providers.seedIds(seed).paypal;
  for (const id of facts.tabs.flatMap((tab) => tab.checkoutSessions)) {
    if (providers.stripe.checkouts.find((session) => session.id === id)?.status !== 'open')
      continue;
    add('pay', 'pays', () => stripe('pay').pay(id));
    add('pay later', 'pays later', () => stripe('later').pay(id, 'pending'));
  }
  for (const { id, payment } of providers.stripe.checkouts) {
    if (payment?.status !== 'pending') continue;
    add('decide', 'the bank pays', () => stripe('settle').settle(id));
    add('decide', 'the bank refuses', () => stripe('fail').settle(id, 'failed'));
  }
  for (const id of facts.tabs.flatMap((tab) => tab.paypalOrders)) {
    const order = providers.paypal.checkouts.find((checkout) => checkout.id === id);
    if (order && order.status !== 'COMPLETED') {
      if (order.instrument !== 'good') add('approve', 'approves', () => paypal('yes').approve(id));
      const approveBadly = () => paypal('bad').approve(id, 'declined');
      add('approve declined', 'approves with a bad card', approveBadly);
    }
    const capture = { kind: 'capture', tab: 0, paypalOrder: id } as const;
    add('capture', 'capture begins', () => world.start(capture));
  }
  for (const { id, refunds, dispute } of providers.stripe.payments) {
    if (refunds.length === 0 && dispute === null) {
      add('refund', 'a part is refunded', () => stripe('refund').refund(id, 100));
    }
    for (const refund of refunds) {
      add('refund', 'a refund fails', () => stripe('fails').decideRefund(refund.id, 'failed'));
    }
    if (dispute === null) add('dispute', 'is disputed', () => stripe('dispute').dispute(id));
    else add('dispute', 'is lost', () => stripe('lost').closeDispute(id, 'lost'));
  }
  for (const { id, provider, type } of providers.events) {
    // The shop ignores the event of an approval.
    if (facts.delivered[id] || type === 'CHECKOUT.ORDER.APPROVED') continue;
    add('webhook', `${type} comes`, async () => {
      facts.delivered[id] = 1;
      await world.startWebhook(provider, id);
    });
  }
}
