/**
 * What Stripe knows about this shop, and what the buyer and the bank do. A checkout session is open
 * until it is paid or expires; a payment that takes days leaves it complete and unpaid, and succeeds
 * or fails later.
 */
import { drawText, secureRandom } from '../provider/chance.ts';
import type { EmulatorOptions, Receipt } from '../provider/emulator.ts';
import { Emulator } from '../provider/emulator.ts';
import { invalid, noSuchSession } from './failure.ts';
import { API_VERSION, sessionObject } from './objects.ts';
import type { SessionParams } from './session-params.ts';
import { checkSessionParams, totalOf } from './session-params.ts';
import { signatureHeaders } from './signature.ts';
import type { StoredIntent, StoredSession, StripeState } from './state.ts';
import { isPaid, stateFrom } from './state.ts';

export interface StripeOptions extends EmulatorOptions<StripeState> {
  readonly secretKey?: string;
  readonly webhookSecret?: string;
}

const LIFETIME_S = 24 * 60 * 60;

export abstract class StripeAccount extends Emulator<StripeState> {
  readonly secretKey: string;
  readonly webhookSecret: string;

  constructor(options: StripeOptions) {
    const { now = Date.now, random = secureRandom } = options;
    const webhookSecret = options.webhookSecret ?? `whsec_${drawText(random, 32)}`;
    const sign = (body: string) => signatureHeaders(body, webhookSecret, now());
    super(options, stateFrom(options.state), sign);
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

  override get receipts(): readonly Receipt[] {
    return this.sessions.filter(isPaid).map(({ id, intent, params }) => ({
      sourceId: id,
      paymentId: intent?.id ?? '',
      reference: params.client_reference_id ?? null,
      amountMinor: totalOf(params),
      currency: 'USD',
    }));
  }

  /** @throws StripeError 404 */
  find(id: string): StoredSession {
    const session = this.state.sessions[id];
    if (session === undefined) throw noSuchSession(id, 'session');
    return session;
  }

  /** @throws StripeError 400 */
  create(params: SessionParams): StoredSession {
    const now = this.#nowS();
    checkSessionParams(params, now);
    const session: StoredSession = {
      id: this.newId('cs_test_', 58),
      createdAt: now,
      expiresAt: params.expires_at ?? now + LIFETIME_S,
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
      throw invalid(
        `Only open Checkout Sessions can be expired, not one that is ${session.status}.`,
      );
    }
    session.status = 'expired';
    this.#emitFor('checkout.session.expired', session);
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

  /** Expires sessions whose time has come. */
  override tick(): void {
    for (const { id, status, expiresAt } of Object.values(this.state.sessions)) {
      if (status === 'open' && expiresAt <= this.#nowS()) this.expire(id);
    }
  }

  /** @param more overrides fields of the event, which is signed as it then is */
  emit(type: string, object: object, more: Readonly<Record<string, unknown>> = {}): void {
    const event = {
      id: this.newId('evt_', 24),
      object: 'event',
      api_version: API_VERSION,
      created: this.#nowS(),
      data: { object },
      livemode: false,
      type,
      ...more,
    };
    this.webhooks.add({ id: event.id, type, body: JSON.stringify(event, null, 2) });
  }

  #complete(id: string, status: StoredIntent['status']): boolean {
    this.tick();
    const session = this.find(id);
    if (session.status !== 'open') return false;
    session.status = 'complete';
    session.intent = { id: this.newId('pi_', 24), createdAt: this.#nowS(), status };
    this.#emitFor('checkout.session.completed', session);
    return true;
  }

  #finish(id: string, status: StoredIntent['status'], event: string): boolean {
    const session = this.find(id);
    if (session.intent?.status !== 'processing') return false;
    session.intent.status = status;
    this.#emitFor(event, session);
    return true;
  }

  #emitFor(type: string, session: StoredSession): void {
    this.emit(type, sessionObject(session, this.baseUrl));
  }

  /** In seconds since 1970, as in Stripe's API. */
  #nowS(): number {
    return Math.floor(this.now() / 1000);
  }

  newId(prefix: string, length: number): string {
    return prefix + drawText(this.random, length);
  }
}
