/** What buyers do at providers in an exhaustive search, and what those tell the shop. */
import {
  closeDispute,
  decideRefund,
  dispute,
  refund,
} from '../../../netlify/local/stripe/refunds.ts';
import type { World } from './world.ts';

/** What is limited. `fault` counts deaths and lost answers. */
export type Limited =
  | 'card'
  | 'wallet'
  | 'capture'
  | 'status'
  | 'reconcile'
  | 'message'
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
  readonly uses: Limited | null;
  readonly make: () => Promise<unknown>;
}

/** Adds a move, unless it has been made as often as it may be. */
export type Add = (uses: Limited | null, name: string, make: Move['make']) => void;

/** What buyers do at providers, and what those tell the shop. */
export function addProviderMoves(world: World, add: Add): void {
  const { providers, facts } = world;
  for (const id of facts.tabs.flatMap((tab) => tab.cards)) {
    if (providers.stripe.sessions.find((session) => session.id === id)?.status !== 'open') continue;
    add('pay', 'pays', async () => providers.named('pay').stripe.pay(id));
    add('pay later', 'pays later', async () => providers.named('later').stripe.payLater(id));
  }
  for (const { id, intent } of providers.stripe.sessions) {
    if (intent?.status !== 'processing') continue;
    add('decide', 'the bank pays', async () => providers.named('settle').stripe.settle(id));
    add('decide', 'the bank refuses', async () => providers.named('fail').stripe.fail(id));
  }
  for (const wallet of facts.tabs.flatMap((tab) => tab.wallets)) {
    const order = providers.paypal.orders.find(({ id }) => id === wallet);
    if (order && order.status !== 'COMPLETED') {
      if (order.instrument !== 'good') {
        add('approve', 'approves', async () => providers.named('yes').paypal.approve(wallet));
      }
      add('approve declined', 'approves with a bad card', async () =>
        providers.named('bad').paypal.approve(wallet, 'declined'),
      );
    }
    add('capture', 'capture begins', () => world.start({ kind: 'capture', tab: 0, wallet }));
  }
  for (const { intent } of providers.stripe.sessions) {
    if (intent?.status !== 'succeeded') continue;
    const { id: payment_intent, refunds = [], dispute: disputed } = intent;
    const stripe = (name: string) => providers.named(name).stripe;
    if (refunds.length === 0 && disputed === undefined) {
      add('refund', 'a part is refunded', async () =>
        refund(stripe('refund'), { payment_intent, amount: 100 }),
      );
    }
    for (const { id } of refunds) {
      add('refund', 'a refund fails', async () => decideRefund(stripe('fails'), id, 'failed'));
    }
    if (disputed === undefined) {
      add('dispute', 'is disputed', async () => dispute(stripe('dispute'), payment_intent));
    } else {
      add('dispute', 'is lost', async () => closeDispute(stripe('lost'), payment_intent, 'lost'));
    }
  }
  for (const { id, provider, type } of providers.events) {
    if (facts.delivered[id] || type === 'CHECKOUT.ORDER.APPROVED') continue;
    add('message', `${type} comes`, async () => {
      facts.delivered[id] = 1;
      await world.startMessage(provider, id);
    });
  }
}
