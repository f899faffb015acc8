/**
 * What the shop's database must say, worked out from what the shopper and the providers did. It is
 * shown the database after every call of the database, and knows the rules by itself: nothing of it
 * comes from the SQL.
 */
import type { OrderState } from '../../../src/domain/order.ts';
import type { Seen, SeenOrder } from './fake-database.ts';
import type { Providers } from './providers.ts';
import type { OrderVerdicts } from './verdicts.ts';

/** Where an order may go from each state. */
const WAYS: Readonly<Record<OrderState, readonly string[]>> = {
  pending: ['confirming', 'paid', 'needs_review', 'cancelled', 'expired', 'failed'],
  confirming: ['paid', 'needs_review', 'failed'],
  paid: [],
  needs_review: [],
  paid_late: [],
  cancelled: ['paid_late', 'needs_review'],
  expired: ['paid_late', 'needs_review'],
  failed: ['paid_late', 'needs_review'],
};

/** What has been decided by now; plain data. */
export interface Accounts {
  /** Cents by product; absent where it is not sold. */
  prices: Record<number, number | null>;
  /** Pieces by product. */
  cart: Record<number, number>;
  seen: Seen;
}

export const NOTHING_SEEN: Seen = {
  orders: [],
  attempts: [],
  event: [],
  reversals: [],
  moves: [],
  cart: [],
  hasAccount: true,
};

export class Oracle {
  readonly accounts: Accounts;
  readonly #providers: Providers;
  readonly #verdicts: OrderVerdicts;

  constructor(accounts: Accounts, providers: Providers, verdicts: OrderVerdicts) {
    this.accounts = accounts;
    this.#providers = providers;
    this.#verdicts = verdicts;
  }

  get seen(): Seen {
    return this.accounts.seen;
  }

  /** The database is what it was then. */
  goBack(accounts: Accounts): void {
    Object.assign(this.accounts, structuredClone(accounts));
  }

  /** The shopper, or the people of the shop, have changed something else than orders. */
  expect(cart: Readonly<Record<number, number>>): void {
    this.accounts.cart = { ...cart };
  }

  observe(seen: Seen): void {
    const before = new Map(this.accounts.seen.orders.map((order) => [order.id, order]));
    for (const order of seen.orders) {
      const earlier = before.get(order.id);
      if (earlier === undefined) this.#checkPlaced(order);
      else this.#checkMoved(earlier, order);
      this.#checkErased(order, seen.hasAccount);
    }
    if (!seen.hasAccount) this.accounts.cart = {};
    if (seen.orders.length < before.size) this.#verdicts.break('moves', 'an order is gone');
    this.#checkCart(seen);
    this.accounts.seen = seen;
  }

  #checkPlaced(order: SeenOrder): void {
    const { prices } = this.accounts;
    let total = 0;
    for (const [product, quantity, unitMinor] of order.lines) {
      total += quantity * unitMinor;
      if (prices[product] !== unitMinor) {
        const text = `an order sells product ${product} at ${unitMinor}, not at ${prices[product]}`;
        this.#verdicts.break('moves', text);
      }
    }
    if (total !== order.total) {
      this.#verdicts.break('sum', `the lines of an order add up to ${total}, not ${order.total}`);
    }
    if (order.state !== 'pending') this.#verdicts.break('moves', `an order begins ${order.state}`);
  }

  /** The shop keeps nothing of a deleted account but the name on orders for which money came. */
  #checkErased({ id, state, owned, named, received }: SeenOrder, hasAccount: boolean): void {
    if (owned !== hasAccount) {
      const text = hasAccount ? 'has lost its account' : 'is still of a deleted account';
      this.#verdicts.break('erased', `order ${id} ${text}`);
    }
    if (owned) return;
    if (/pending|confirming/.test(state)) {
      this.#verdicts.break('erased', `order ${id} is ${state} without an account`);
    }
    if (named && received === 0) {
      this.#verdicts.break('erased', `order ${id} was never paid and still has a name`);
    }
  }

  #checkMoved(earlier: SeenOrder, order: SeenOrder): void {
    const { id, received, refunded, disputed, dispute } = order;
    if (refunded > received || disputed > received || (dispute !== null && received === 0)) {
      this.#verdicts.break('back', `order ${id} received ${received}, and more went back`);
    }
    if (received < earlier.received) {
      this.#verdicts.break('back', `order ${id} received ${earlier.received}, then ${received}`);
    }
    const fixed = ({ id, total, mode, lines }: SeenOrder) =>
      JSON.stringify([id, total, mode, lines]);
    if (order.named && !earlier.named)
      this.#verdicts.break('erased', `order ${id} has a name again`);
    if (fixed(earlier) !== fixed(order)) {
      this.#verdicts.break('moves', `${fixed(earlier)} became ${fixed(order)}`);
    }
    if (earlier.state === order.state) return;
    if (!WAYS[earlier.state as OrderState].includes(order.state)) {
      this.#verdicts.break('moves', `an order that was ${earlier.state} is ${order.state}`);
    }
    if (order.state !== 'paid') return;
    const receipts = this.#providers.receipts.filter(({ reference }) => reference === order.id);
    if (!receipts.some(({ amountMinor }) => amountMinor === order.total)) {
      this.#verdicts.break('unpaid', `an order of ${order.total} is paid without that money`);
    }
    for (const [product, quantity] of order.lines) {
      const left = (this.accounts.cart[product] ?? 0) - quantity;
      // The rest of a line whose product has left cannot be bought any more.
      if (left > 0 && product in this.accounts.prices) this.accounts.cart[product] = left;
      else delete this.accounts.cart[product];
    }
  }

  #checkCart({ cart }: Seen): void {
    const expected = Object.entries(this.accounts.cart).map(([id, n]) => [Number(id), n]);
    if (JSON.stringify(cart) === JSON.stringify(expected)) return;
    const [has, should] = [JSON.stringify(cart), JSON.stringify(expected)];
    this.#verdicts.break('cart', `the cart has ${has} instead of ${should}`);
  }
}
