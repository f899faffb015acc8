/** Both emulators in this process, on the schedule's clock, and as plain data when it is put back. */
import type { PayPalState } from '../../../netlify/local/paypal/state.ts';
import { LocalPayPal } from '../../../netlify/local/paypal/paypal.ts';
import type { HookEvent } from '../../../netlify/local/provider/deliveries.ts';
import type { RequestFault } from '../../../netlify/local/provider/faults.ts';
import { ConnectionCut } from '../../../netlify/local/provider/faults.ts';
import type { Receipt } from '../../../netlify/local/provider/emulator.ts';
import type { StripeState } from '../../../netlify/local/stripe/state.ts';
import { LocalStripe } from '../../../netlify/local/stripe/stripe.ts';
import { Chance } from '../kit/chance.ts';
import type { Fault, Heard } from './run.ts';

export type ProviderName = 'stripe' | 'paypal';

/** A request as plain data. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ProviderState {
  readonly stripe: StripeState | undefined;
  readonly paypal: PayPalState | undefined;
}

export const KEYS = {
  stripe: 'sk_test_model',
  stripeHook: 'whsec_model',
  client: 'model',
  clientSecret: 'model-secret',
  paypalHook: 'MODELHOOK',
} as const;

export class Providers {
  readonly stripe: LocalStripe;
  readonly paypal: LocalPayPal;
  #state: { -readonly [Name in ProviderName]: ProviderState[Name] };
  #ids = new Chance(0);
  #fault: RequestFault | undefined;
  #chosen: () => void = () => undefined;
  readonly #now: () => number;

  constructor(now: () => number, state: ProviderState) {
    this.#now = now;
    const kept = structuredClone(state);
    this.#state = { ...kept };
    const random = () => this.#ids.next();
    const chooseFault = (route: string) => {
      if (route.endsWith('/v1/oauth2/token')) return undefined;
      this.#chosen();
      return this.#fault;
    };
    // Nothing is sent by itself: the schedule asks for each message.
    const webhook = { url: 'http://localhost/webhook', drop: () => true };
    this.named('secrets');
    const shared = { now, random, chooseFault, webhook };
    this.stripe = new LocalStripe({
      ...shared,
      secretKey: KEYS.stripe,
      webhookSecret: KEYS.stripeHook,
      ...(kept.stripe && { state: kept.stripe }),
      onChange: (changed) => void (this.#state.stripe = changed),
    });
    this.paypal = new LocalPayPal({
      ...shared,
      clientId: KEYS.client,
      clientSecret: KEYS.clientSecret,
      webhookId: KEYS.paypalHook,
      ...(kept.paypal && { state: kept.paypal }),
      onChange: (changed) => void (this.#state.paypal = changed),
    });
  }

  /** A copy. */
  get state(): ProviderState {
    return structuredClone(this.#state);
  }

  /** All the money that was taken. */
  get receipts(): readonly (Receipt & { readonly provider: ProviderName })[] {
    return [
      ...this.stripe.receipts.map((receipt) => ({ ...receipt, provider: 'stripe' as const })),
      ...this.paypal.receipts.map((receipt) => ({ ...receipt, provider: 'paypal' as const })),
    ];
  }

  get events(): readonly (HookEvent & { readonly provider: ProviderName })[] {
    return [
      ...this.stripe.webhooks.events.map((event) => ({ ...event, provider: 'stripe' as const })),
      ...this.paypal.webhooks.events.map((event) => ({ ...event, provider: 'paypal' as const })),
    ];
  }

  /** Ids that are drawn from now on depend on this and the time alone, whatever happened before. */
  named(what: string): this {
    const text = `${what} ${this.#now()}`;
    let seed = 7;
    for (let i = 0; i < text.length; i++) seed = (Math.imul(seed, 31) + text.charCodeAt(i)) | 0;
    this.#ids = new Chance(seed);
    return this;
  }

  async send(to: ProviderName, sent: Sent, fault: Fault | null): Promise<Heard> {
    this.#fault = requestFault(fault);
    try {
      return await this.#handle(to, sent);
    } finally {
      this.#fault = undefined;
    }
  }

  /** Begins a request, and returns what ends it. */
  async hold(to: ProviderName, sent: Sent): Promise<() => Promise<Heard>> {
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    const { promise: chosen, resolve } = Promise.withResolvers<void>();
    this.#fault = { kind: 'wait', until };
    this.#chosen = resolve;
    const answer = this.#handle(to, sent);
    await chosen;
    this.#chosen = () => undefined;
    this.#fault = undefined;
    return () => {
      this.named(`${labelOf(sent)} held`);
      release();
      return answer;
    };
  }

  /** A message of the provider's, signed now. */
  async message(to: ProviderName, event: string): Promise<Sent> {
    this.named(event);
    return plain(this[to].webhooks.requestFor(event));
  }

  async #handle(to: ProviderName, sent: Sent): Promise<Heard> {
    const { method, url, headers, body } = sent;
    this.named(labelOf(sent));
    const request = new Request(url, { method, headers, ...(method === 'GET' ? {} : { body }) });
    try {
      const answer = await this[to].handle(request);
      return {
        kind: 'http',
        status: answer.status,
        headers: [...answer.headers],
        body: await answer.text(),
      };
    } catch (thrown) {
      if (thrown instanceof ConnectionCut) return { kind: 'away' };
      throw thrown;
    }
  }
}

function labelOf({ method, url, headers }: Sent): string {
  const key = headers['idempotency-key'] ?? headers['paypal-request-id'] ?? '';
  return `${method} ${url} ${key}`;
}

export async function plain(request: Request): Promise<Sent> {
  const { method, url } = request;
  return { method, url, headers: Object.fromEntries(request.headers), body: await request.text() };
}

function requestFault(fault: Fault | null): RequestFault | undefined {
  switch (fault) {
    case 'lost before':
      return { kind: 'cut', moment: 'before' };
    case 'lost after':
      return { kind: 'cut', moment: 'after' };
    case 'broken before':
      return { kind: 'fail', moment: 'before' };
    case 'broken after':
      return { kind: 'fail', moment: 'after' };
    case 'turned away':
      return { kind: 'reject', status: 503 };
    case 'expired':
    case null:
      return undefined;
  }
}
