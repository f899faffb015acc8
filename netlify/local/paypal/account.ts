/**
 * What PayPal knows about this shop, and what the buyer and PayPal's reviewers do. An order is made,
 * approved by the buyer, and captured by the shop, once. Its capture may wait and be completed or
 * denied later, while the order itself counts as completed.
 */
import { CAPITALS_AND_DIGITS, drawText, secureRandom } from '../provider/chance.ts';
import type { EmulatorOptions, Receipt } from '../provider/emulator.ts';
import { Emulator } from '../provider/emulator.ts';
import { noSuchResource, unprocessable } from './failure.ts';
import { captureWithOrder, orderObject } from './objects.ts';
import type { OrderRequest } from './order-request.ts';
import { transmissionHeaders, writeBody } from './signature.ts';
import type { Instrument, PayPalState, StoredOrder } from './state.ts';
import { stateFrom } from './state.ts';
import { centsOf, checkOrder } from './sums.ts';

export interface PayPalOptions extends EmulatorOptions<PayPalState> {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly webhookId?: string;
}

type ResourceType = 'checkout-order' | 'capture' | 'refund' | 'dispute';

/** To approve an order, and again to capture it once it is approved. */
const PATIENCE_MS = 3 * 60 * 60 * 1000;

const CAPTURED = {
  good: ['COMPLETED', 'PAYMENT.CAPTURE.COMPLETED'],
  pending: ['PENDING', 'PAYMENT.CAPTURE.PENDING'],
  refused: ['DECLINED', 'PAYMENT.CAPTURE.DECLINED'],
} as const;

export abstract class PayPalAccount extends Emulator<PayPalState> {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookId: string;
  /** Signs webhooks. */
  readonly webhookSecret: string;

  constructor(options: PayPalOptions = {}) {
    const { now = Date.now, random = secureRandom } = options;
    const webhookId = options.webhookId ?? drawText(random, 17, CAPITALS_AND_DIGITS);
    const secret = drawText(random, 32);
    super(options, stateFrom(options.state), (body) => {
      const id = drawText(random, 36, '0123456789abcdef');
      return transmissionHeaders(body, { id, webhookId, secret }, now());
    });
    this.webhookId = webhookId;
    this.webhookSecret = secret;
    this.clientId = options.clientId ?? 'emulator';
    this.clientSecret = options.clientSecret ?? `secret-${drawText(random, 32)}`;
  }

  /** Variables by which the functions find the emulator. */
  get environment(): Readonly<Record<string, string>> {
    return {
      PAYPAL_API_URL: this.baseUrl,
      PAYPAL_ENVIRONMENT: 'sandbox',
      VITE_PAYPAL_CLIENT_ID: this.clientId,
      PAYPAL_CLIENT_SECRET: this.clientSecret,
      PAYPAL_WEBHOOK_ID: this.webhookId,
    };
  }

  /** All orders but those that expired, newest first. */
  get orders(): readonly StoredOrder[] {
    const orders = Object.values(this.state.orders);
    return orders.filter((order) => !this.#isExpired(order)).toReversed();
  }

  override get receipts(): readonly Receipt[] {
    return this.orders.flatMap(({ id, capture, request }) => {
      const [unit] = request.purchase_units;
      if (capture?.status !== 'COMPLETED') return [];
      return {
        sourceId: id,
        paymentId: capture.id,
        reference: unit.custom_id ?? unit.invoice_id ?? null,
        amountMinor: centsOf(unit.amount),
        currency: 'USD',
      };
    });
  }

  /** @throws PayPalError 404 */
  find(id: string): StoredOrder {
    const order = this.state.orders[id];
    if (order === undefined || this.#isExpired(order)) throw noSuchResource();
    return order;
  }

  /** @throws PayPalError 422 */
  create(request: OrderRequest): StoredOrder {
    checkOrder(request);
    const now = this.now();
    const order: StoredOrder = {
      id: this.#newId(),
      createdAt: now,
      updatedAt: now,
      request,
      status: 'PAYER_ACTION_REQUIRED',
      instrument: null,
      capture: null,
    };
    this.state.orders[order.id] = order;
    return order;
  }

  /**
   * The buyer approves the order.
   *
   * @returns false when it is captured already
   * @throws PayPalError 404
   */
  approve(id: string, instrument: Instrument = 'good'): boolean {
    const order = this.find(id);
    if (order.status === 'COMPLETED') return false;
    order.status = 'APPROVED';
    order.instrument = instrument;
    order.updatedAt = this.now();
    this.#emitFor('CHECKOUT.ORDER.APPROVED', order);
    return true;
  }

  /** @throws PayPalError 404 or 422 */
  capture(id: string): StoredOrder {
    const order = this.find(id);
    if (order.status === 'COMPLETED') {
      const description = 'Order already captured. There is one capture for an order.';
      throw unprocessable('ORDER_ALREADY_CAPTURED', description);
    }
    if (order.instrument === null) {
      const description = 'The payer has not yet approved the order.';
      throw unprocessable('ORDER_NOT_APPROVED', description);
    }
    this.#checkInvoice(order);
    if (order.instrument === 'declined') {
      const description = 'What the payer chose to pay with was declined.';
      throw unprocessable('INSTRUMENT_DECLINED', description);
    }
    const [status, event] = CAPTURED[order.instrument];
    const now = this.now();
    order.capture = { id: this.#newId(), createdAt: now, updatedAt: now, status };
    order.status = 'COMPLETED';
    order.updatedAt = now;
    this.#emitFor(event, order);
    return order;
  }

  /** A pending capture is completed. @returns false when it is not pending */
  settle(id: string): boolean {
    return this.#decide(id, 'COMPLETED', 'PAYMENT.CAPTURE.COMPLETED');
  }

  /** A pending capture is denied. */
  deny(id: string): boolean {
    return this.#decide(id, 'DECLINED', 'PAYMENT.CAPTURE.DENIED');
  }

  /** @returns the id of the event */
  emit(type: string, resourceType: ResourceType, resource: object): string {
    const id = `WH-${this.#newId()}-${this.#newId()}`;
    const body = writeBody({
      id,
      event_version: '1.0',
      create_time: new Date(this.now()).toISOString(),
      resource_type: resourceType,
      resource_version: '2.0',
      event_type: type,
      summary: `${type} (test)`,
      resource,
    });
    this.webhooks.add({ id, type, body });
    return id;
  }

  #decide(id: string, status: 'COMPLETED' | 'DECLINED', event: string): boolean {
    const order = this.find(id);
    if (order.capture?.status !== 'PENDING') return false;
    order.capture.status = status;
    order.capture.updatedAt = this.now();
    this.#emitFor(event, order);
    return true;
  }

  #isExpired(order: StoredOrder): boolean {
    return order.status !== 'COMPLETED' && this.now() - order.updatedAt >= PATIENCE_MS;
  }

  /** Merchants' accounts block a second payment of an invoice unless a setting allows it. */
  #checkInvoice(order: StoredOrder): void {
    const [{ invoice_id: invoice }] = order.request.purchase_units;
    const isPaid = this.orders.some(
      (other) => other.capture !== null && other.request.purchase_units[0].invoice_id === invoice,
    );
    if (invoice !== undefined && isPaid) {
      throw unprocessable('DUPLICATE_INVOICE_ID', 'This invoice id was paid before.');
    }
  }

  #emitFor(type: string, order: StoredOrder): void {
    if (order.capture !== null) this.emit(type, 'capture', captureWithOrder(order, order.capture));
    else this.emit(type, 'checkout-order', orderObject(order, this.baseUrl));
  }

  #newId(): string {
    return drawText(this.random, 17, CAPITALS_AND_DIGITS);
  }
}
