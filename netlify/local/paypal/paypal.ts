/**
 * Emulates PayPal where the shop has no keys: its API, its browser SDK and its webhooks, as far as
 * the shop uses them. No money moves.
 *
 * An order is made, approved by the buyer, and captured by the shop, once. Its capture may wait and
 * be completed or denied later, while the order itself counts as completed.
 */
import { CAPITALS_AND_DIGITS, drawText, secureRandom } from '../provider/chance.ts';
import type { Call, EmulatorOptions } from '../provider/emulator.ts';
import { Emulator } from '../provider/emulator.ts';
import type { StoredDispute, StoredPayment, StoredRefund } from '../provider/payment.ts';
import { RequestKeys } from '../provider/request-keys.ts';
import { answerApi } from './api.ts';
import { noSuchResource, PayPalError, unprocessable } from './failure.ts';
import { captureWithOrder, disputeObject, orderObject, refundObject } from './objects.ts';
import type { OrderRequest } from './order-request.ts';
import { centsOf, checkOrder } from './order-request.ts';
import { answerPage } from './pages.ts';
import { transmissionHeaders, writeBody } from './signature.ts';
import type { Instrument, PayPalState, StoredCapture, StoredOrder } from './state.ts';

export interface PayPalOptions extends EmulatorOptions<PayPalState> {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly webhookId?: string;
}

const HOUR_MS = 60 * 60 * 1000;
/** To approve an order, and again to capture it once it is approved. */
const PATIENCE_MS = 3 * HOUR_MS;
const REQUEST_LIFE_MS = 6 * HOUR_MS;

const CAPTURED = {
  good: ['COMPLETED', 'PAYMENT.CAPTURE.COMPLETED'],
  pending: ['PENDING', 'PAYMENT.CAPTURE.PENDING'],
  refused: ['DECLINED', 'PAYMENT.CAPTURE.DECLINED'],
} as const;

export class LocalPayPal extends Emulator<PayPalState> {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookId: string;
  /** Signs webhooks. */
  readonly webhookSecret: string;
  readonly keys = new RequestKeys(this.state.requests, REQUEST_LIFE_MS);

  constructor(options: PayPalOptions = {}) {
    const { now = Date.now, random = secureRandom } = options;
    const webhookId = options.webhookId ?? drawText(random, 17, CAPITALS_AND_DIGITS);
    const secret = drawText(random, 32);
    super(options, ['orders', 'requests', 'tokens'], (body) => {
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
      id: this.#draw(),
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

  /** The buyer approves the order. @returns false when it is captured already; @throws PayPalError 404 */
  approve(id: string, instrument: Instrument = 'good'): boolean {
    const order = this.find(id);
    if (order.status === 'COMPLETED') return false;
    order.status = 'APPROVED';
    order.instrument = instrument;
    order.updatedAt = this.now();
    this.emit('CHECKOUT.ORDER.APPROVED', 'checkout-order', orderObject(order, this.baseUrl));
    return true;
  }

  /** @throws PayPalError 404 or 422 */
  capture(id: string): StoredOrder {
    const order = this.find(id);
    if (order.status === 'COMPLETED') {
      throw unprocessable('ORDER_ALREADY_CAPTURED', 'There is one capture for an order.');
    }
    if (order.instrument === null) {
      throw unprocessable('ORDER_NOT_APPROVED', 'The payer has not yet approved the order.');
    }
    this.#checkInvoice(order);
    if (order.instrument === 'declined') {
      throw unprocessable('INSTRUMENT_DECLINED', 'The payer’s instrument was declined.');
    }
    const [status, event] = CAPTURED[order.instrument];
    const [unit] = order.request.purchase_units;
    const now = this.now();
    order.capture = {
      id: this.#draw(),
      createdAt: now,
      amount: centsOf(unit.amount),
      sourceId: id,
      reference: unit.custom_id,
      status,
      refunds: [],
      dispute: null,
    };
    order.status = 'COMPLETED';
    order.updatedAt = now;
    this.emit(event, 'capture', captureWithOrder(order.capture));
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

  /** PayPal decides; when the shop loses, PayPal takes back what is left of the disputed money. */
  override closeDispute(captureId: string, status: 'won' | 'lost'): boolean {
    const isClosed = super.closeDispute(captureId, status);
    const payment = this.payments.find(({ id }) => id === captureId);
    if (!isClosed || status === 'won' || !payment?.dispute) return isClosed;
    const cents = Math.min(payment.dispute.amount, this.refundable(payment));
    if (cents > 0) {
      const reversal = this.addRefund(payment, cents, 'succeeded');
      this.#emitRefund('PAYMENT.CAPTURE.REVERSED', payment, reversal);
    }
    return true;
  }

  override tick(): void {
    this.keys.forgetOld(this.now());
  }

  /** @returns the id of the event */
  emit(type: string, resourceType: string, resource: object): string {
    const id = `WH-${this.#draw()}-${this.#draw()}`;
    const body = writeBody({
      id,
      create_time: new Date(this.now()).toISOString(),
      resource_type: resourceType,
      event_type: type,
      resource,
    });
    this.webhooks.add({ id, type, body });
    return id;
  }

  override get payments(): readonly StoredCapture[] {
    return this.orders.flatMap(({ capture }) => (capture?.status === 'COMPLETED' ? capture : []));
  }

  protected override newId(of: 'refund' | 'dispute'): string {
    return of === 'refund' ? this.#draw() : `PP-D-${this.#draw()}`;
  }

  protected override tellRefund(payment: StoredPayment, refund: StoredRefund): void {
    this.#emitRefund('PAYMENT.CAPTURE.REFUNDED', payment, refund);
  }

  protected override tellDispute({ id }: StoredPayment, dispute: StoredDispute): void {
    const what = dispute.status === 'open' ? 'CREATED' : 'RESOLVED';
    this.emit(`CUSTOMER.DISPUTE.${what}`, 'dispute', disputeObject(id, dispute));
  }

  protected override refundError(_paymentId: string, left?: number): PayPalError {
    if (left === undefined) return noSuchResource();
    return left === 0
      ? unprocessable('CAPTURE_FULLY_REFUNDED', 'The capture has already been fully refunded.')
      : unprocessable('REFUND_AMOUNT_EXCEEDED', 'The refund exceeds what is left.');
  }

  protected override answer(call: Call): Promise<Response> {
    return /^\/v\d\//.test(call.path) ? answerApi(call, this) : answerPage(call, this);
  }

  #decide(id: string, status: StoredCapture['status'], event: string): boolean {
    const order = this.find(id);
    if (order.capture?.status !== 'PENDING') return false;
    order.capture.status = status;
    this.emit(event, 'capture', captureWithOrder(order.capture));
    return true;
  }

  #emitRefund(type: string, { id }: StoredPayment, refund: StoredRefund): void {
    this.emit(type, 'refund', refundObject(this.baseUrl, id, refund));
  }

  #isExpired(order: StoredOrder): boolean {
    return order.status !== 'COMPLETED' && this.now() - order.updatedAt >= PATIENCE_MS;
  }

  /** Merchants' accounts block a second payment of an invoice unless a setting allows it. */
  #checkInvoice({ request }: StoredOrder): void {
    const [{ invoice_id: invoice }] = request.purchase_units;
    const isPaid = this.orders.some(
      (other) => other.capture !== null && other.request.purchase_units[0].invoice_id === invoice,
    );
    if (isPaid) throw unprocessable('DUPLICATE_INVOICE_ID', 'This invoice id was paid before.');
  }

  #draw(): string {
    return drawText(this.random, 17, CAPITALS_AND_DIGITS);
  }
}
