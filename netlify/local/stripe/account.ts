/**
 * The shop's account at the emulated Stripe: its payments and what can happen to them.
 *
 * A checkout session is open until it is paid or expires; a payment that takes days leaves it
 * complete and unpaid, and succeeds or fails later.
 */
import { drawText, secureRandom } from '../provider/chance.ts';
import { Emulator, type EmulatorOptions, type PaymentEnd } from '../provider/emulator.ts';
import type { StoredDispute, StoredPayment, StoredRefund } from '../provider/payment.ts';
import { RequestKeys } from '../provider/request-keys.ts';
import { StripeError } from './failure.ts';
import {
  API_VERSION,
  disputeObject,
  inSeconds,
  lineAmount,
  refundObject,
  sessionObject,
  type SessionParams,
  type StoredSession,
} from './objects.ts';
import { signatureHeaders } from './signature.ts';

export interface StripeEmulatorOptions extends EmulatorOptions {
  readonly secretKey?: string;
  readonly webhookSecret?: string;
}

export interface Outcome {
  readonly status: number;
  readonly body: string;
}

/** An answer that is given again to a request with the same idempotency key. */
export interface StoredAnswer extends Outcome {
  readonly path: string;
  readonly form: string;
  readonly at: number;
}

const HALF_AN_HOUR_S = 30 * 60;
const DAY_S = 24 * 60 * 60;

export abstract class StripeAccount extends Emulator<StoredSession> {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** The first answer to each key, which Stripe forgets after a day. */
  readonly keys = new RequestKeys<StoredAnswer>(DAY_S * 1000);

  constructor(options: StripeEmulatorOptions = {}) {
    const { now = Date.now, random = secureRandom } = options;
    const secret = options.webhookSecret ?? `whsec_${drawText(random, 32)}`;
    super(options, (body) => signatureHeaders(body, secret, now()));
    this.webhookSecret = secret;
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

  /** @throws StripeError 400 where the session could be paid for less than half an hour, or for over a day */
  create(params: SessionParams): StoredSession {
    const now = this.now();
    const lifeS = params.expires_at ? Number(params.expires_at) - inSeconds(now) : DAY_S;
    if (lifeS < HALF_AN_HOUR_S || lifeS > DAY_S) {
      const message = 'expires_at must lie from 30 minutes to 24 hours ahead.';
      throw new StripeError(400, { message, param: 'expires_at' });
    }
    const session: StoredSession = {
      id: this.draw('cs_test_', 58),
      createdAt: now,
      amount: params.line_items.reduce((sum, line) => sum + lineAmount(line), 0),
      reference: params.client_reference_id ?? '',
      status: 'open',
      payment: null,
      expiresAt: (inSeconds(now) + lifeS) * 1000,
      params,
    };
    this.checkoutsById.set(session.id, session);
    return session;
  }

  /** @throws StripeError 404, or 400 for a session that is paid or has expired */
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

  /** The buyer pays, `pending` in a way that takes days. @returns false when the page is not open */
  pay(id: string, status: 'pending' | 'succeeded' = 'succeeded'): boolean {
    this.tick();
    const session = this.find(id);
    if (session.status !== 'open') return false;
    session.status = 'complete';
    this.addPayment(session, status);
    this.#tell('checkout.session.completed', session);
    return true;
  }

  /** A pending refund succeeds, or a refund fails, even after it succeeded. @returns false if nothing changes */
  decideRefund(id: string, status: 'succeeded' | 'failed'): boolean {
    const refund = this.payments
      .flatMap(({ refunds }) => refunds)
      .find((candidate) => candidate.id === id);
    if (!refund || refund.status === 'failed' || refund.status === status) return false;
    refund.status = status;
    this.emit(status === 'failed' ? 'refund.failed' : 'refund.updated', refundObject(refund));
    return true;
  }

  /** In cents; 0 while the payment is disputed, and after the dispute is lost. */
  override refundable(payment: StoredPayment): number {
    const isGone = payment.dispute !== null && payment.dispute.status !== 'won';
    return isGone ? 0 : super.refundable(payment);
  }

  /** Expires sessions whose time has come, and forgets old idempotency keys. */
  override tick(): void {
    this.keys.forgetOld(this.now());
    for (const { id, status, expiresAt } of this.checkoutsById.values()) {
      if (status === 'open' && expiresAt <= this.now()) this.expire(id);
    }
  }

  emit(type: string, object: object): void {
    const event = {
      id: this.draw('evt_', 24),
      object: 'event',
      api_version: API_VERSION,
      created: inSeconds(this.now()),
      data: { object },
      livemode: false,
      type,
    };
    this.webhooks.add({ id: event.id, type, body: JSON.stringify(event, null, 2) });
  }

  draw(prefix: string, length: number): string {
    return prefix + drawText(this.random, length);
  }

  protected override newId(of: 'payment' | 'refund' | 'dispute'): string {
    return this.draw({ payment: 'pi_', refund: 're_', dispute: 'du_' }[of], 24);
  }

  protected override tellDecision(session: StoredSession, outcome: PaymentEnd): void {
    this.#tell(`checkout.session.async_payment_${outcome}`, session);
  }

  protected override tellRefund(refund: StoredRefund): void {
    this.emit('refund.created', refundObject(refund));
  }

  protected override tellDispute(dispute: StoredDispute): void {
    const type = dispute.status === 'open' ? 'charge.dispute.created' : 'charge.dispute.closed';
    this.emit(type, disputeObject(dispute));
  }

  protected override missing(id: string): StripeError {
    const message = `No such checkout.session: '${id}'`;
    return new StripeError(404, { message, code: 'resource_missing' });
  }

  #tell(type: string, session: StoredSession): void {
    this.emit(type, sessionObject(session, this.baseUrl));
  }
}
