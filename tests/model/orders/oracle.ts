/**
 * Computes what the shop's database must hold from what the shopper and the providers did, and compares that
 * with all rows after every call of the database. The rules are written here a second time, not taken from
 * the SQL.
 */
import type { OrderState } from '../../../src/domain/order.ts';
import type { Rows, OrderRow } from './model-database.ts';
import type { Providers } from './providers.ts';
import type { OrderVerdicts } from './verdicts.ts';

/** The states that may follow each state of an order. */
const NEXT_STATES: Readonly<Record<OrderState, readonly string[]>> = {
  pending: ['confirming', 'paid', 'needs_review', 'cancelled', 'expired', 'failed'],
  confirming: ['paid', 'needs_review', 'failed'],
  paid: [],
  // No schedule lets staff close a review; tests/supabase/orders-payments.test.ts checks what follows then.
  needs_review: [],
  paid_late: [],
  cancelled: ['paid_late', 'needs_review'],
  expired: ['paid_late', 'needs_review'],
  failed: ['paid_late', 'needs_review'],
};

/** The oracle's state, as plain data. */
export interface Ledger {
  /** Price in cents by product; null without a price, absent where the product has left the shop. */
  prices: Record<number, number | null>;
  /** Pieces by product. */
  cart: Record<number, number>;
  /** All rows after the last call of the database. */
  rows: Rows;
}

/** The rows of a database in which a schedule begins. */
export const NO_ROWS: Rows = {
  orders: [],
  attempts: [],
  events: [],
  moves: [],
  sendings: [],
  mails: [],
  cart: [],
  hasAccount: true,
};

export class Oracle {
  readonly ledger: Ledger;
  readonly #providers: Providers;
  readonly #verdicts: OrderVerdicts;

  constructor(ledger: Ledger, providers: Providers, verdicts: OrderVerdicts) {
    this.ledger = ledger;
    this.#providers = providers;
    this.#verdicts = verdicts;
  }

  get rows(): Rows {
    return this.ledger.rows;
  }

  /** Checks all rows after a call of the database. */
  observe(rows: Rows): void {
    const before = new Map(this.ledger.rows.orders.map((order) => [order.id, order]));
    for (const order of rows.orders) {
      const earlier = before.get(order.id);
      if (earlier === undefined) this.#checkPlaced(order);
      else this.#checkChanged(earlier, order);
      this.#checkErased(order, rows.hasAccount);
    }
    if (!rows.hasAccount) this.ledger.cart = {};
    if (rows.orders.length < before.size) this.#verdicts.break('moves', 'an order is gone');
    this.#checkCart(rows);
    this.ledger.rows = rows;
  }

  #checkPlaced(order: OrderRow): void {
    const { prices } = this.ledger;
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

  /**
   * An order has an owner while the account exists. Without an owner no payment of the order is awaited, and
   * the shopper's name and email are kept only where money was received for the order.
   */
  #checkErased({ id, state, hasOwner, hasContact, received }: OrderRow, hasAccount: boolean): void {
    if (hasOwner !== hasAccount) {
      const text = hasAccount ? 'has lost its account' : 'is still of a deleted account';
      this.#verdicts.break('erased', `order ${id} ${text}`);
    }
    if (hasOwner) return;
    if (/pending|confirming/.test(state)) {
      this.#verdicts.break('erased', `order ${id} is ${state} without an account`);
    }
    if (hasContact && received === 0) {
      this.#verdicts.break('erased', `order ${id} was never paid and still has a name`);
    }
  }

  /** Compares an order with its row before the call. When it has become paid, the oracle's cart changes too. */
  #checkChanged(earlier: OrderRow, order: OrderRow): void {
    const { id, received, refunded, disputed, dispute } = order;
    if (refunded > received || disputed > received || (dispute !== null && received === 0)) {
      this.#verdicts.break('back', `order ${id} received ${received}, and more went back`);
    }
    if (received < earlier.received) {
      this.#verdicts.break('back', `order ${id} received ${earlier.received}, then ${received}`);
    }
    const contentsOf = ({ id, total, mode, lines }: OrderRow) =>
      JSON.stringify([id, total, mode, lines]);
    if (order.hasContact && !earlier.hasContact)
      this.#verdicts.break('erased', `order ${id} has a name again`);
    if (contentsOf(earlier) !== contentsOf(order)) {
      this.#verdicts.break('moves', `${contentsOf(earlier)} became ${contentsOf(order)}`);
    }
    if (earlier.state === order.state) return;
    if (!NEXT_STATES[earlier.state as OrderState].includes(order.state)) {
      this.#verdicts.break('moves', `an order that was ${earlier.state} is ${order.state}`);
    }
    if (order.state !== 'paid') return;
    // By the providers' own record, a payment of the whole total names this order.
    const receipts = this.#providers.receipts.filter(({ reference }) => reference === order.id);
    if (!receipts.some(({ amountMinor }) => amountMinor === order.total)) {
      this.#verdicts.break('unpaid', `an order of ${order.total} is paid without that money`);
    }
    this.#takeFromCart(order);
  }

  #takeFromCart({ lines }: OrderRow): void {
    for (const [product, quantity] of lines) {
      const left = (this.ledger.cart[product] ?? 0) - quantity;
      // When a product has left the shop, the whole line leaves the cart.
      if (left > 0 && product in this.ledger.prices) this.ledger.cart[product] = left;
      else delete this.ledger.cart[product];
    }
  }

  #checkCart({ cart }: Rows): void {
    const expected = Object.entries(this.ledger.cart).map(([id, n]) => [Number(id), n]);
    if (JSON.stringify(cart) === JSON.stringify(expected)) return;
    const text = `the cart has ${JSON.stringify(cart)} instead of ${JSON.stringify(expected)}`;
    this.#verdicts.break('cart', text);
  }
}
