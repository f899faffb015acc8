/**
 * The life of a checkout session: open until it is paid or expires; a payment that takes days leaves
 * it complete and unpaid, and succeeds or fails later.
 */
import type { Random } from '../provider/chance.ts';
import { drawText } from '../provider/chance.ts';
import { invalid, noSuch } from './failure.ts';
import type { SessionParams } from './session-params.ts';
import { checkSessionParams } from './session-params.ts';
import type { StoredIntent, StoredSession, StripeState } from './state.ts';

export type SessionEvent =
  | 'checkout.session.completed'
  | 'checkout.session.async_payment_succeeded'
  | 'checkout.session.async_payment_failed'
  | 'checkout.session.expired';

export interface SessionsOptions {
  readonly state: StripeState;
  /** In seconds since 1970. */
  readonly now: () => number;
  readonly random: Random;
  readonly emit: (type: SessionEvent, session: StoredSession) => void;
}

const LIFETIME_S = 24 * 60 * 60;

export class Sessions {
  readonly #options: SessionsOptions;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** Newest first. */
  get all(): readonly StoredSession[] {
    return Object.values(this.#options.state.sessions).toReversed();
  }

  /** @throws StripeRefusal 404 */
  find(id: string): StoredSession {
    const session = this.#options.state.sessions[id];
    if (session === undefined) throw noSuch('checkout.session', id, 'session');
    return session;
  }

  /** @throws StripeRefusal 404 */
  findByIntent(id: string): { session: StoredSession; intent: StoredIntent } {
    for (const session of this.all) {
      if (session.intent?.id === id) return { session, intent: session.intent };
    }
    throw noSuch('payment_intent', id, 'intent');
  }

  /** @throws StripeRefusal 400 */
  create(params: SessionParams): StoredSession {
    const now = this.#options.now();
    checkSessionParams(params, now);
    const session: StoredSession = {
      id: this.#id('cs_test_', 58),
      createdAt: now,
      expiresAt: params.expires_at ?? now + LIFETIME_S,
      params,
      lineIds: params.line_items.map(() => this.#id('li_', 24)),
      status: 'open',
      intent: null,
    };
    this.#options.state.sessions[session.id] = session;
    return session;
  }

  /** @throws StripeRefusal 404, or 400 where the buyer was faster */
  expire(id: string): StoredSession {
    const session = this.find(id);
    if (session.status !== 'open') {
      throw invalid(
        `Only Checkout Sessions with a status in ["open"] can be expired. This one has a status of \`${session.status}\`.`,
      );
    }
    session.status = 'expired';
    this.#options.emit('checkout.session.expired', session);
    return session;
  }

  /** @returns false when the page is no longer open */
  pay(id: string): boolean {
    return this.#complete(id, 'succeeded');
  }

  /** Pays in a way that takes days, a bank debit for one. */
  payLater(id: string): boolean {
    return this.#complete(id, 'processing');
  }

  /** @returns false when there is no payment under way */
  settle(id: string): boolean {
    return this.#finish(id, 'succeeded', 'checkout.session.async_payment_succeeded');
  }

  fail(id: string): boolean {
    return this.#finish(id, 'requires_payment_method', 'checkout.session.async_payment_failed');
  }

  /** Lets sessions expire whose time has come. */
  tick(): void {
    const now = this.#options.now();
    for (const session of Object.values(this.#options.state.sessions)) {
      if (session.status === 'open' && session.expiresAt <= now) this.expire(session.id);
    }
  }

  #complete(id: string, status: StoredIntent['status']): boolean {
    this.tick();
    const session = this.find(id);
    if (session.status !== 'open') return false;
    session.status = 'complete';
    session.intent = {
      id: this.#id('pi_', 24),
      chargeId: this.#id('ch_', 24),
      methodId: this.#id('pm_', 24),
      createdAt: this.#options.now(),
      status,
    };
    this.#options.emit('checkout.session.completed', session);
    return true;
  }

  #finish(id: string, status: StoredIntent['status'], event: SessionEvent): boolean {
    const session = this.find(id);
    if (session.intent?.status !== 'processing') return false;
    session.intent.status = status;
    this.#options.emit(event, session);
    return true;
  }

  #id(prefix: string, length: number): string {
    return prefix + drawText(this.#options.random, length);
  }
}
