/**
 * The life of an order: made, approved by the buyer, captured by the shop, once. Its capture may wait
 * and be completed or denied later, while the order itself counts as completed.
 */
import type { Random } from '../provider/chance.ts';
import { CAPITALS_AND_DIGITS, drawText } from '../provider/chance.ts';
import { noSuchResource, PayPalError, unprocessable } from './failure.ts';
import type { OrderRequest } from './order-request.ts';
import type { Instrument, PayPalState, StoredCapture, StoredOrder } from './state.ts';
import { checkOrder } from './sums.ts';

export type PayPalEvent =
  | 'CHECKOUT.ORDER.APPROVED'
  | 'PAYMENT.CAPTURE.COMPLETED'
  | 'PAYMENT.CAPTURE.PENDING'
  | 'PAYMENT.CAPTURE.DECLINED'
  | 'PAYMENT.CAPTURE.DENIED';

export interface OrdersOptions {
  readonly state: PayPalState;
  readonly now: () => number;
  readonly random: Random;
  readonly emit: (type: PayPalEvent, order: StoredOrder) => void;
}

/** To approve an order, and again to capture it once it is approved. */
const PATIENCE_MS = 3 * 60 * 60 * 1000;

const CAPTURED = {
  good: ['COMPLETED', 'PAYMENT.CAPTURE.COMPLETED'],
  pending: ['PENDING', 'PAYMENT.CAPTURE.PENDING'],
  refused: ['DECLINED', 'PAYMENT.CAPTURE.DECLINED'],
} as const;

export class Orders {
  readonly #options: OrdersOptions;

  constructor(options: OrdersOptions) {
    this.#options = options;
  }

  /** Newest first, without those that were left lying too long. */
  get all(): readonly StoredOrder[] {
    const orders = Object.values(this.#options.state.orders);
    return orders.filter((order) => !this.#isGone(order)).toReversed();
  }

  /** @throws PayPalError 404 */
  find(id: string): StoredOrder {
    const order = this.#options.state.orders[id];
    if (order === undefined || this.#isGone(order)) throw noSuchResource();
    return order;
  }

  /** @throws PayPalError 404 */
  findCapture(id: string): { order: StoredOrder; capture: StoredCapture } {
    for (const order of this.all) {
      if (order.capture?.id === id) return { order, capture: order.capture };
    }
    throw noSuchResource();
  }

  /** @throws PayPalError 422 */
  create(request: OrderRequest): StoredOrder {
    checkOrder(request);
    const now = this.#options.now();
    const order: StoredOrder = {
      id: this.#id(),
      createdAt: now,
      updatedAt: now,
      request,
      status: request.payment_source === undefined ? 'CREATED' : 'PAYER_ACTION_REQUIRED',
      instrument: null,
      capture: null,
    };
    this.#options.state.orders[order.id] = order;
    return order;
  }

  /** The buyer says yes. @returns false when there is nothing left to approve */
  approve(id: string, instrument: Instrument): boolean {
    const order = this.find(id);
    if (order.status === 'COMPLETED') return false;
    order.status = 'APPROVED';
    order.instrument = instrument;
    order.updatedAt = this.#options.now();
    this.#options.emit('CHECKOUT.ORDER.APPROVED', order);
    return true;
  }

  /** @throws PayPalError 404 or 422 */
  capture(id: string): StoredOrder {
    const order = this.find(id);
    if (order.status === 'COMPLETED') {
      const description = 'Order already captured. There is one capture for an order.';
      throw unprocessable('ORDER_ALREADY_CAPTURED', description);
    }
    if (order.status !== 'APPROVED' || order.instrument === null) {
      const description = 'The payer has not yet approved the order.';
      throw unprocessable('ORDER_NOT_APPROVED', description);
    }
    this.#checkInvoice(order);
    if (order.instrument === 'declined') throw instrumentDeclined();
    const [status, event] = CAPTURED[order.instrument];
    const now = this.#options.now();
    order.capture = { id: this.#id(), createdAt: now, updatedAt: now, status };
    order.status = 'COMPLETED';
    order.updatedAt = now;
    this.#options.emit(event, order);
    return order;
  }

  /** A capture that waits is completed or denied. @returns false when it does not wait */
  decide(id: string, status: 'COMPLETED' | 'DECLINED'): boolean {
    const order = this.find(id);
    if (order.capture?.status !== 'PENDING') return false;
    order.capture.status = status;
    order.capture.updatedAt = this.#options.now();
    const event = status === 'COMPLETED' ? 'PAYMENT.CAPTURE.COMPLETED' : 'PAYMENT.CAPTURE.DENIED';
    this.#options.emit(event, order);
    return true;
  }

  #isGone(order: StoredOrder): boolean {
    return order.status !== 'COMPLETED' && this.#options.now() - order.updatedAt >= PATIENCE_MS;
  }

  /** Merchants' accounts block a second payment of an invoice unless they are told not to. */
  #checkInvoice(order: StoredOrder): void {
    const [{ invoice_id: invoice }] = order.request.purchase_units;
    const isPaid = this.all.some(
      (other) => other.capture !== null && other.request.purchase_units[0].invoice_id === invoice,
    );
    if (invoice !== undefined && isPaid) {
      throw unprocessable('DUPLICATE_INVOICE_ID', 'This invoice id was paid before.');
    }
  }

  #id(): string {
    return drawText(this.#options.random, 17, CAPITALS_AND_DIGITS);
  }
}

export function instrumentDeclined(): PayPalError {
  const description = 'What the payer chose to pay with was declined.';
  return unprocessable('INSTRUMENT_DECLINED', description);
}
