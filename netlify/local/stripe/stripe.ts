/**
 * Emulates Stripe where the shop has no keys: its API, its payment page and its webhooks, as far as
 * the shop uses them. No money moves. The official SDK is its client.
 *
 * A checkout session is open until it is paid or expires; a payment that takes days leaves it
 * complete and unpaid, and succeeds or fails later.
 */
import { drawText, secureRandom } from '../provider/chance.ts';
import type { Call, EmulatorOptions } from '../provider/emulator.ts';
import { Emulator } from '../provider/emulator.ts';
import type { StoredDispute, StoredPayment, StoredRefund } from '../provider/payment.ts';
import { RequestKeys } from '../provider/request-keys.ts';
import { answerApi } from './api.ts';
import { missing, StripeError } from './failure.ts';
import { API_VERSION, disputeObject, inSeconds, refundObject, sessionObject } from './objects.ts';
import { answerPage } from './pages.ts';
import type { SessionParams } from './session-params.ts';
import { checkSessionParams, totalOf } from './session-params.ts';
import { signatureHeaders } from './signature.ts';
import type { StoredIntent, StoredSession, StripeState } from './state.ts';

export interface StripeOptions extends EmulatorOptions<StripeState> {
  readonly secretKey?: string;
  readonly webhookSecret?: string;
}

const DAY_S = 24 * 60 * 60;

export class LocalStripe extends Emulator<StripeState> {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly keys = new RequestKeys(this.state.answers, DAY_S * 1000);

  constructor(options: StripeOptions = {}) {
    const { now = Date.now, random = secureRandom } = options;
    const webhookSecret = options.webhookSecret ?? `whsec_${drawText(random, 32)}`;
    super(options, ['sessions', 'answers'], (body) => signatureHeaders(body, webhookSecret, now()));
    this.webhookSecret = webhookSecret;
    this.secretKey = options.secretKey ?? `sk_test_${drawText(random, 32)}`;
  }

  /** Variables by which the functions find the emulator. */
  get environment(): Readonly<Record<string, string>> {
    return {
      STRIPE_API_URL: this.baseUrl,
      STRIPE_SECRET_KEY: this.secretKey,
      STRIPE_WEBHOOK_SECRET: this.webhookSecret,
    };
  }

  /** All sessions, newest first. */
  get sessions(): readonly StoredSession[] {
    return Object.values(this.state.sessions).toReversed();
  }

  /** @throws StripeError 404 */
  find(id: string): StoredSession {
    const session = this.state.sessions[id];
    if (session === undefined) throw missing('checkout.session', id);
    return session;
  }

  /** @throws StripeError 400 */
  create(params: SessionParams): StoredSession {
    const now = inSeconds(this.now());
    checkSessionParams(params, now);
    const session: StoredSession = {
      id: this.draw('cs_test_', 58),
      createdAt: now,
      expiresAt: params.expires_at ?? now + DAY_S,
      params,
      status: 'open',
      intent: null,
    };
    this.state.sessions[session.id] = session;
    return session;
  }

  /** @throws StripeError 404, or 400 where the buyer was faster */
  expire(id: string): StoredSession {
    const session = this.find(id);
    if (session.status !== 'open') {
      const message = `Only open Checkout Sessions can be expired, not one that is ${session.status}.`;
      throw new StripeError(400, { message });
    }
    session.status = 'expired';
    this.#tell('checkout.session.expired', session);
    return session;
  }

  /** The buyer pays. @returns false when the page is no longer open */
  pay(id: string): boolean {
    return this.#complete(id, 'succeeded');
  }

  /** The buyer pays in a way that takes days: complete, but unpaid. */
  payLater(id: string): boolean {
    return this.#complete(id, 'processing');
  }

  /** A payment that took days succeeds. @returns false when there is none under way */
  settle(id: string): boolean {
    return this.#finish(id, 'succeeded', 'checkout.session.async_payment_succeeded');
  }

  /** A payment that took days fails. */
  fail(id: string): boolean {
    return this.#finish(id, 'requires_payment_method', 'checkout.session.async_payment_failed');
  }

  /** A refund that was pending succeeds, or any fails. @returns false when it is over */
  decideRefund(id: string, status: 'succeeded' | 'failed'): boolean {
    const payment = this.payments.find(({ refunds }) => refunds.some((other) => other.id === id));
    const refund = payment?.refunds.find((other) => other.id === id);
    if (!payment || !refund || refund.status === 'failed' || refund.status === status) return false;
    refund.status = status;
    const type = status === 'failed' ? 'refund.failed' : 'refund.updated';
    this.emit(type, refundObject(payment.id, refund));
    return true;
  }

  /** In cents; 0 while the payment is disputed. */
  override refundable(payment: StoredPayment): number {
    const isGone = payment.dispute !== null && payment.dispute.status !== 'won';
    return isGone ? 0 : super.refundable(payment);
  }

  /** Expires sessions whose time has come. */
  override tick(): void {
    this.keys.forgetOld(this.now());
    for (const { id, status, expiresAt } of Object.values(this.state.sessions)) {
      if (status === 'open' && expiresAt <= inSeconds(this.now())) this.expire(id);
    }
  }

  /** @param more overrides fields of the event, which is signed as it then is */
  emit(type: string, object: object, more: Readonly<Record<string, unknown>> = {}): void {
    const event = {
      id: this.draw('evt_', 24),
      object: 'event',
      api_version: API_VERSION,
      created: inSeconds(this.now()),
      data: { object },
      livemode: false,
      type,
      ...more,
    };
    this.webhooks.add({ id: event.id, type, body: JSON.stringify(event, null, 2) });
  }

  draw(prefix: string, length: number): string {
    return prefix + drawText(this.random, length);
  }

  override get payments(): readonly StoredIntent[] {
    return this.sessions.flatMap(({ intent }) => (intent?.status === 'succeeded' ? intent : []));
  }

  protected override newId(of: 'refund' | 'dispute'): string {
    return this.draw({ refund: 're_', dispute: 'du_' }[of], 24);
  }

  protected override tellRefund(payment: StoredPayment, refund: StoredRefund): void {
    this.emit('refund.created', refundObject(payment.id, refund));
  }

  protected override tellDispute(payment: StoredPayment, dispute: StoredDispute): void {
    const type = dispute.status === 'open' ? 'charge.dispute.created' : 'charge.dispute.closed';
    this.emit(type, disputeObject(payment.id, dispute));
  }

  protected override refundError(paymentId: string, left?: number): StripeError {
    if (left === undefined) return missing('payment_intent', paymentId);
    const message = `Of this charge ${left} cents are left to refund.`;
    return new StripeError(400, { message, code: 'charge_already_refunded' });
  }

  protected override answer(call: Call): Promise<Response> {
    return call.path.startsWith('/v1/') ? answerApi(call, this) : answerPage(call, this);
  }

  #complete(id: string, status: StoredIntent['status']): boolean {
    this.tick();
    const session = this.find(id);
    if (session.status !== 'open') return false;
    session.status = 'complete';
    session.intent = {
      id: this.draw('pi_', 24),
      createdAt: this.now(),
      amount: totalOf(session.params),
      sourceId: id,
      reference: session.params.client_reference_id,
      status,
      refunds: [],
      dispute: null,
    };
    this.#tell('checkout.session.completed', session);
    return true;
  }

  #finish(id: string, status: StoredIntent['status'], event: string): boolean {
    const session = this.find(id);
    if (session.intent?.status !== 'processing') return false;
    session.intent.status = status;
    this.#tell(event, session);
    return true;
  }

  #tell(type: string, session: StoredSession): void {
    this.emit(type, sessionObject(session, this.baseUrl));
  }
}
