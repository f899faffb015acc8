/**
 * Stands in for Stripe where the shop has no keys: its API, its payment page and its webhooks, as
 * far as the shop uses them. No money moves. The official SDK is its client.
 *
 * It needs no address: `handle` takes a request and gives the answer, so thousands of schedules can
 * run in one process. Time, chance, faults and the way to the shop are arguments.
 */
import type { Random } from '../provider/chance.ts';
import { drawText, secureRandom } from '../provider/chance.ts';
import type { DeliveryOptions } from '../provider/deliveries.ts';
import { Deliveries } from '../provider/deliveries.ts';
import type { ChooseFault } from '../provider/faults.ts';
import { FaultPoint, Switches, unlessGone } from '../provider/faults.ts';
import type { Receipt } from '../provider/receipt.ts';
import { StripeApi } from './api.ts';
import { API_VERSION, sessionObject } from './objects.ts';
import { answerPage } from './pages.ts';
import { totalOf } from './session-params.ts';
import { Sessions } from './sessions.ts';
import { signatureHeaders } from './signature.ts';
import type { StoredSession, StripeState } from './state.ts';
import { isPaid, stateFrom } from './state.ts';

export interface StripeOptions {
  /** Where the payment pages are. */
  readonly baseUrl?: string;
  readonly secretKey?: string;
  readonly webhookSecret?: string;
  readonly webhook?: DeliveryOptions;
  /** What strikes a request for which no switch is set. */
  readonly chooseFault?: ChooseFault;
  /** In milliseconds since 1970. */
  readonly now?: () => number;
  readonly random?: Random;
  readonly state?: StripeState;
  /** Hears of every change, with all there is to keep. */
  readonly onChange?: (state: StripeState) => void;
}

export class LocalStripe {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** What goes wrong with the next request. */
  readonly switches: Switches;
  readonly webhooks: Deliveries;
  readonly #sessions: Sessions;
  readonly #api: StripeApi;
  readonly #now: () => number;
  readonly #random: Random;
  readonly #changed: () => void;

  constructor(options: StripeOptions = {}) {
    const { now = Date.now, random = secureRandom, baseUrl = 'http://127.0.0.1' } = options;
    const state = stateFrom(options.state);
    this.#now = now;
    this.#random = random;
    this.#changed = () => options.onChange?.(state);
    this.secretKey = options.secretKey ?? `sk_test_${drawText(random, 32)}`;
    this.webhookSecret = options.webhookSecret ?? `whsec_${drawText(random, 32)}`;
    this.switches = new Switches(options.chooseFault);
    this.webhooks = new Deliveries(
      state.events,
      options.webhook ?? {},
      (event, forgery) => signatureHeaders(event, forgery, this.webhookSecret, now()),
      this.#changed,
    );
    this.#sessions = new Sessions({
      state,
      now: () => Math.floor(now() / 1000),
      random,
      emit: (type, session) => void this.emit(type, sessionObject(session, baseUrl)),
    });
    const { secretKey } = this;
    const sessions = this.#sessions;
    this.#api = new StripeApi({ state, sessions, secretKey, baseUrl, now, random });
  }

  /** Answers a request to the API or for a page. @throws ConnectionCut where a switch says so */
  async handle(request: Request): Promise<Response> {
    const body = await request.text();
    return unlessGone(this.#answer(request, body), request.signal);
  }

  /** All sessions, newest first. */
  get sessions(): readonly StoredSession[] {
    return this.#sessions.all;
  }

  /** What was paid. */
  get receipts(): readonly Receipt[] {
    return this.#sessions.all.filter(isPaid).map(({ id, intent, params }) => ({
      sourceId: id,
      paymentId: intent?.id ?? '',
      reference: params.client_reference_id ?? null,
      amountMinor: totalOf(params),
      currency: 'USD',
    }));
  }

  /** The buyer pays. @returns false when the page is no longer open */
  pay(sessionId: string): boolean {
    return this.#did(this.#sessions.pay(sessionId));
  }

  /** The buyer pays in a way that takes days: complete, but unpaid. */
  payLater(sessionId: string): boolean {
    return this.#did(this.#sessions.payLater(sessionId));
  }

  /** A payment that took days succeeds. @returns false when there is none under way */
  settle(sessionId: string): boolean {
    return this.#did(this.#sessions.settle(sessionId));
  }

  /** A payment that took days fails. */
  fail(sessionId: string): boolean {
    return this.#did(this.#sessions.fail(sessionId));
  }

  /** Lets sessions expire whose time has come; every request does so too. */
  tick(): void {
    this.#sessions.tick();
    this.#api.forgetOld();
  }

  /** @param more overrides fields of the event, which is signed as it then is */
  emit(type: string, object: object, more: Readonly<Record<string, unknown>> = {}): string {
    const createdAt = this.#now();
    const id = `evt_${drawText(this.#random, 24)}`;
    const event = {
      id,
      object: 'event',
      api_version: API_VERSION,
      created: Math.floor(createdAt / 1000),
      data: { object },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
      ...more,
    };
    const body = JSON.stringify(event, null, 2);
    this.webhooks.add({ id, type, body, createdAt, isAccepted: false });
    return id;
  }

  #did(done: boolean): boolean {
    this.#changed();
    return done;
  }

  async #answer(request: Request, body: string): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const { method } = request;
    const point = new FaultPoint(this.switches.choose(`${method} ${pathname}`));
    point.arrive();
    this.tick();
    let answer: Response;
    if (pathname.startsWith('/v1/')) {
      const form = method === 'GET' ? search.slice(1) : body;
      answer = await this.#api.answer({ method, path: pathname, form }, request.headers, point);
    } else {
      const deed = method === 'POST' ? new URLSearchParams(body).get('deed') : null;
      answer = answerPage(pathname, deed, this.#sessions);
    }
    if (method === 'POST') this.#changed();
    await point.leave();
    return answer;
  }
}

/** An emulator without an address, for requests from within this process. */
export function createStripe(options: StripeOptions = {}): LocalStripe {
  return new LocalStripe(options);
}
