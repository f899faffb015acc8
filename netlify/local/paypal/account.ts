/**
 * The shop's account at the emulated PayPal: its payments and what can happen to them.
 *
 * An order is made, approved by the buyer, and captured by the shop, once. Its capture may wait and
 * be completed or denied later, while the order itself counts as completed.
 */
import { CAPITALS_AND_DIGITS, drawText, secureRandom } from '../provider/chance.ts';
import { Emulator, type EmulatorOptions, type PaymentEnd } from '../provider/emulator.ts';
import type { StoredDispute, StoredRefund } from '../provider/payment.ts';
import { RequestKeys } from '../provider/request-keys.ts';
import { noSuchResource, type PayPalError, unprocessable } from './failure.ts';
import {
  CAPTURE_STATUS,
  captureObject,
  centsOf,
  disputeObject,
  type Instrument,
  orderObject,
  payeeObject,
  type PayPalOrderRequest,
  refundObject,
  type StoredOrder,
} from './objects.ts';
import { transmissionHeaders, writeBody } from './signature.ts';

export interface PayPalEmulatorOptions extends EmulatorOptions {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly webhookId?: string;
}

/** What the first request with this PayPal-Request-Id made or changed. */
interface StoredRequest {
  readonly at: number;
  /** The order's id; empty where the instrument was declined. */
  readonly id: string;
  readonly isDeclined: boolean;
}

const HOUR_MS = 60 * 60 * 1000;
/** How long an order waits to be approved, and again to be captured. */
const WAIT_MS = 3 * HOUR_MS;
const ID_CHARS = 17;
/** How long a PayPal-Request-Id is remembered. */
const REQUEST_LIFE_MS = 6 * HOUR_MS;

/** How a capture ends, by the buyer's instrument. */
const OUTCOMES = { good: 'succeeded', pending: 'pending', refused: 'failed' } as const;

export abstract class PayPalAccount extends Emulator<StoredOrder> {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookId: string;
  /** Signs webhooks. */
  readonly webhookSecret: string;
  readonly keys = new RequestKeys<StoredRequest>(REQUEST_LIFE_MS);
  /** Access tokens, which last until the emulator closes. */
  readonly tokens = new Set<string>();

  constructor(options: PayPalEmulatorOptions = {}) {
    const { now = Date.now, random = secureRandom } = options;
    const webhookId = options.webhookId ?? drawText(random, ID_CHARS, CAPITALS_AND_DIGITS);
    const secret = drawText(random, 32);
    super(options, (body) => {
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

  create(request: PayPalOrderRequest): StoredOrder {
    const [unit] = request.purchase_units;
    if (unit === undefined) throw unprocessable('NO_UNIT', 'There is nothing to pay.');
    const now = this.now();
    const order: StoredOrder = {
      id: this.#drawId(),
      createdAt: now,
      amount: centsOf(unit.amount),
      reference: unit.custom_id,
      invoice: unit.invoice_id,
      status: 'PAYER_ACTION_REQUIRED',
      payment: null,
      request,
      updatedAt: now,
      instrument: null,
    };
    this.checkoutsById.set(order.id, order);
    return order;
  }

  /** The buyer approves the order. @returns false when it is captured already; @throws PayPalError 404 */
  approve(id: string, instrument: Instrument = 'good'): boolean {
    this.tick();
    const order = this.find(id);
    if (order.status === 'COMPLETED') return false;
    order.status = 'APPROVED';
    order.instrument = instrument;
    order.updatedAt = this.now();
    this.emit('CHECKOUT.ORDER.APPROVED', 'checkout-order', orderObject(order));
    return true;
  }

  /** Names another account for the money, as a program with an access token of the shop's client id can. */
  changePayee(id: string, merchantId: string): void {
    this.find(id).payee = merchantId;
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
    // Merchants' accounts block a second payment of an invoice unless a setting allows it.
    if (this.checkouts.some(({ payment, invoice }) => payment && invoice === order.invoice)) {
      throw unprocessable('DUPLICATE_INVOICE_ID', 'This invoice id was paid before.');
    }
    if (order.instrument === 'declined') {
      throw unprocessable('INSTRUMENT_DECLINED', 'The payer’s instrument was declined.');
    }
    const outcome = OUTCOMES[order.instrument];
    this.addPayment(order, outcome);
    order.status = 'COMPLETED';
    this.#emitCapture(CAPTURE_STATUS[outcome], order);
    return order;
  }

  /** PayPal decides; when the shop loses, PayPal takes back what is left of the disputed money. */
  override closeDispute(captureId: string, status: 'won' | 'lost'): boolean {
    const isClosed = super.closeDispute(captureId, status);
    const payment = this.payments.find(({ id }) => id === captureId);
    if (!isClosed || status === 'won' || !payment?.dispute) return isClosed;
    const cents = Math.min(payment.dispute.amount, this.refundable(payment));
    if (cents > 0) {
      const refund = this.addRefund(payment, cents, 'succeeded');
      this.tellRefund(refund, 'PAYMENT.CAPTURE.REVERSED');
    }
    return true;
  }

  /** Deletes orders that were not approved, or not captured, for too long, and forgets old request ids. */
  override tick(): void {
    const now = this.now();
    this.keys.forgetOld(now);
    for (const { id, status, updatedAt } of this.checkoutsById.values()) {
      if (status !== 'COMPLETED' && now - updatedAt >= WAIT_MS) this.checkoutsById.delete(id);
    }
  }

  emit(type: string, resourceType: string, resource: object): void {
    const id = `WH-${this.#drawId()}-${this.#drawId()}`;
    const body = writeBody({
      id,
      create_time: new Date(this.now()).toISOString(),
      resource_type: resourceType,
      event_type: type,
      resource,
      // PayPal escapes the slashes of this address, so a body that is parsed and written again is not the signed one.
      links: [{ rel: 'self', href: `${this.baseUrl}/v1/notifications/webhooks-events/${id}` }],
    });
    this.webhooks.add({ id, type, body });
  }

  protected override newId(of: 'payment' | 'refund' | 'dispute'): string {
    return of === 'dispute' ? `PP-D-${this.#drawId()}` : this.#drawId();
  }

  protected override tellDecision(order: StoredOrder, outcome: PaymentEnd): void {
    this.#emitCapture(outcome === 'succeeded' ? 'COMPLETED' : 'DENIED', order);
  }

  protected override tellRefund(refund: StoredRefund, type = 'PAYMENT.CAPTURE.REFUNDED'): void {
    this.emit(type, 'refund', refundObject(refund, this.baseUrl));
  }

  protected override tellDispute(dispute: StoredDispute): void {
    const what = dispute.status === 'open' ? 'CREATED' : 'RESOLVED';
    this.emit(`CUSTOMER.DISPUTE.${what}`, 'dispute', disputeObject(dispute));
  }

  protected override missing(): PayPalError {
    return noSuchResource();
  }

  /** The event shows which order the capture belongs to. */
  #emitCapture(what: string, order: StoredOrder): void {
    const supplementary_data = { related_ids: { order_id: order.id } };
    const capture = order.payment && captureObject(order, order.payment);
    this.emit(`PAYMENT.CAPTURE.${what}`, 'capture', {
      ...capture,
      payee: payeeObject(order),
      supplementary_data,
    });
  }

  #drawId(): string {
    return drawText(this.random, ID_CHARS, CAPITALS_AND_DIGITS);
  }
}
