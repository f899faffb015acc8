/** Both providers' emulators in this process, with the schedule's clock. */
import { LocalPayPal } from '../../../netlify/local/paypal/paypal.ts';
import type { HookEvent } from '../../../netlify/local/provider/deliveries.ts';
import type { StoredCheckout } from '../../../netlify/local/provider/payment.ts';
import { ConnectionCut, type RequestFault } from '../../../netlify/local/provider/faults.ts';
import { LocalStripe } from '../../../netlify/local/stripe/stripe.ts';
import { Chance } from '../kit/chance.ts';
import type { Fault, Answer } from './run.ts';

export type ProviderName = 'stripe' | 'paypal';

export interface PlainRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The settings of both providers, as in `.env`. */
export const KEYS = {
  stripe: 'sk_test_model',
  stripeHook: 'whsec_model',
  client: 'model',
  clientSecret: 'model-secret',
  paypalHook: 'MODELHOOK',
} as const;

/** Both emulators, whose requests, faults and ids the schedule decides. */
export class Providers {
  readonly stripe: LocalStripe;
  readonly paypal: LocalPayPal;
  #ids = new Chance(0);
  /** The fault of the request that is being handled. */
  #fault: RequestFault | undefined;
  #onFaultChosen: () => void = () => undefined;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
    const random = () => this.#ids.next();
    const chooseFault = (route: string) => {
      // The schedule decides nothing about PayPal's access token.
      if (route.endsWith('/v1/oauth2/token')) return undefined;
      this.#onFaultChosen();
      return this.#fault;
    };
    // The emulators send no webhook by themselves: the schedule delivers each one.
    const webhook = { url: 'http://localhost/webhook', drop: () => true };
    // The emulators draw secrets while they are constructed.
    this.seedIds('secrets');
    const shared = { now, random, chooseFault, webhook };
    this.stripe = new LocalStripe({
      ...shared,
      secretKey: KEYS.stripe,
      webhookSecret: KEYS.stripeHook,
    });
    this.paypal = new LocalPayPal({
      ...shared,
      clientId: KEYS.client,
      clientSecret: KEYS.clientSecret,
      webhookId: KEYS.paypalHook,
    });
  }

  /** All Checkout Sessions and PayPal orders. */
  get checkouts(): readonly StoredCheckout[] {
    return [...this.stripe.checkouts, ...this.paypal.checkouts];
  }

  /** All payments that succeeded. */
  get receipts(): readonly (LocalStripe['receipts'][number] & {
    readonly provider: ProviderName;
  })[] {
    return [
      ...this.stripe.receipts.map((receipt) => ({ ...receipt, provider: 'stripe' as const })),
      ...this.paypal.receipts.map((receipt) => ({ ...receipt, provider: 'paypal' as const })),
    ];
  }

  /** All events of which the providers send webhooks. */
  get events(): readonly (HookEvent & { readonly provider: ProviderName })[] {
    return [
      ...this.stripe.webhooks.events.map((event) => ({ ...event, provider: 'stripe' as const })),
      ...this.paypal.webhooks.events.map((event) => ({ ...event, provider: 'paypal' as const })),
    ];
  }

  /** From now on, drawn ids depend only on this text and the time, not on earlier draws. */
  seedIds(seedText: string): this {
    const text = `${seedText} ${this.#now()}`;
    let seed = 7;
    for (let i = 0; i < text.length; i++) seed = (Math.imul(seed, 31) + text.charCodeAt(i)) | 0;
    this.#ids = new Chance(seed);
    return this;
  }

  /** Sends a request and waits for its answer. */
  async send(provider: ProviderName, request: PlainRequest, fault: Fault | null): Promise<Answer> {
    this.#fault = requestFault(fault);
    try {
      return await this.#handle(provider, request);
    } finally {
      this.#fault = undefined;
    }
  }

  /** Begins a request. Returns a function that lets the request end and resolves to its answer. */
  async begin(provider: ProviderName, request: PlainRequest): Promise<() => Promise<Answer>> {
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    const { promise: faultChosen, resolve: noteFaultChosen } = Promise.withResolvers<void>();
    this.#fault = { kind: 'wait', until };
    this.#onFaultChosen = noteFaultChosen;
    const answer = this.#handle(provider, request);
    // The emulator has read the fault for this request; other requests get none.
    await faultChosen;
    this.#onFaultChosen = () => undefined;
    this.#fault = undefined;
    return () => {
      this.seedIds(`${labelOf(request)} held`);
      release();
      return answer;
    };
  }

  /** The webhook of an event, signed now. */
  async webhook(provider: ProviderName, eventId: string): Promise<PlainRequest> {
    this.seedIds(eventId);
    return plainRequest(this[provider].webhooks.requestFor(eventId));
  }

  async #handle(provider: ProviderName, plain: PlainRequest): Promise<Answer> {
    const { method, url, headers, body } = plain;
    this.seedIds(labelOf(plain));
    const request = new Request(url, { method, headers, ...(method === 'GET' ? {} : { body }) });
    try {
      const answer = await this[provider].handle(request);
      return {
        kind: 'http',
        status: answer.status,
        headers: [...answer.headers],
        body: await answer.text(),
      };
    } catch (thrown) {
      if (thrown instanceof ConnectionCut) return { kind: 'lost' };
      throw thrown;
    }
  }
}

/** The random end of an idempotency key, as in `<order>:<number>:<random>`. */
const KEY_END = /(?<=:\d+:)[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** A text that is the same each time the request is sent, and in each run of the schedule. */
function labelOf({ method, url, headers }: PlainRequest): string {
  const key = headers['idempotency-key'] ?? headers['paypal-request-id'] ?? '';
  return `${method} ${url} ${key.replaceAll(KEY_END, '')}`;
}

export async function plainRequest(request: Request): Promise<PlainRequest> {
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
    case 'expired': // only a token expires
    case null:
      return undefined;
  }
}
