/**
 * Stands in for PayPal where the shop has no keys: its API, its approval window, its browser SDK and
 * its webhooks, as far as the shop uses them. No money moves.
 *
 * It needs no address: `handle` takes a request and gives the answer, so thousands of schedules can
 * run in one process. Time, chance, faults and the way to the shop are arguments.
 */
import type { Random } from '../provider/chance.ts';
import { CAPITALS_AND_DIGITS, drawText, secureRandom } from '../provider/chance.ts';
import type { DeliveryOptions } from '../provider/deliveries.ts';
import { Deliveries } from '../provider/deliveries.ts';
import type { ChooseFault } from '../provider/faults.ts';
import { FaultPoint, Switches, unlessGone } from '../provider/faults.ts';
import type { Receipt } from '../provider/receipt.ts';
import { PayPalApi } from './api.ts';
import { captureWithOrder, orderObject } from './objects.ts';
import type { PayPalEvent } from './orders.ts';
import { Orders } from './orders.ts';
import { answerPage } from './pages.ts';
import { answerSdk, sdkScript } from './sdk.ts';
import { transmissionHeaders, writeBody } from './signature.ts';
import type { Instrument, PayPalState, StoredOrder } from './state.ts';
import { stateFrom } from './state.ts';
import { centsOf } from './sums.ts';

export interface PayPalOptions {
  /** Where the API and the approval page are. */
  readonly baseUrl?: string;
  /** Where the SDK's emulator finds it, if a page may not go there itself. */
  readonly sdkApiUrl?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly webhookId?: string;
  readonly webhook?: DeliveryOptions;
  /** What strikes a request for which no switch is set. */
  readonly chooseFault?: ChooseFault;
  /** In milliseconds since 1970. */
  readonly now?: () => number;
  readonly random?: Random;
  readonly state?: PayPalState;
  /** Hears of every change, with all there is to keep. */
  readonly onChange?: (state: PayPalState) => void;
}

export class LocalPayPal {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookId: string;
  /** Puts `window.paypal` in place. */
  readonly sdkScript: string;
  /** What goes wrong with the next request. */
  readonly switches: Switches;
  readonly webhooks: Deliveries;
  readonly #orders: Orders;
  readonly #api: PayPalApi;
  readonly #baseUrl: string;
  readonly #sdkApiUrl: string;
  readonly #now: () => number;
  readonly #random: Random;
  readonly #changed: () => void;

  constructor(options: PayPalOptions = {}) {
    const { now = Date.now, random = secureRandom, baseUrl = 'http://127.0.0.1' } = options;
    const state = stateFrom(options.state);
    this.#now = now;
    this.#random = random;
    this.#baseUrl = baseUrl;
    this.#changed = () => options.onChange?.(state);
    this.clientId = options.clientId ?? 'emulator';
    this.clientSecret = options.clientSecret ?? `secret-${drawText(random, 32)}`;
    this.webhookId = options.webhookId ?? drawText(random, 17, CAPITALS_AND_DIGITS);
    this.#sdkApiUrl = options.sdkApiUrl ?? baseUrl;
    this.sdkScript = sdkScript(this.#sdkApiUrl);
    this.switches = new Switches(options.chooseFault);
    const webhookSecret = drawText(random, 32);
    const signer = { webhookId: this.webhookId, secret: webhookSecret };
    this.webhooks = new Deliveries(
      state.events,
      options.webhook ?? {},
      (event, forgery) =>
        transmissionHeaders(event, forgery, { ...signer, id: this.#transmissionId() }, now()),
      this.#changed,
    );
    const orders = new Orders({
      state,
      now,
      random,
      emit: (type, order) => void this.#emitFor(type, order),
    });
    this.#orders = orders;
    const credentials = { clientId: this.clientId, clientSecret: this.clientSecret };
    this.#api = new PayPalApi({ state, orders, credentials, webhookSecret, baseUrl, now, random });
  }

  /** Answers a request to the API, of the SDK, or for a page. @throws ConnectionCut where a switch says so */
  async handle(request: Request): Promise<Response> {
    const body = await request.text();
    return unlessGone(this.#answer(request, body), request.signal);
  }

  /** All orders that are not lost to time, newest first. */
  get orders(): readonly StoredOrder[] {
    return this.#orders.all;
  }

  /** What was paid. */
  get receipts(): readonly Receipt[] {
    return this.#orders.all.flatMap(
      ({
        id,
        capture,
        request: {
          purchase_units: [unit],
        },
      }) =>
        capture?.status === 'COMPLETED'
          ? {
              sourceId: id,
              paymentId: capture.id,
              reference: unit.custom_id ?? unit.invoice_id ?? null,
              amountMinor: centsOf(unit.amount),
              currency: 'USD',
            }
          : [],
    );
  }

  /**
   * The buyer says yes.
   *
   * @returns false when the order is captured already
   * @throws PayPalError when there is no such order, or no longer
   */
  approve(orderId: string, instrument: Instrument = 'good'): boolean {
    return this.#did(this.#orders.approve(orderId, instrument));
  }

  /** A pending capture is completed. @returns false when it is not pending */
  settle(orderId: string): boolean {
    return this.#did(this.#orders.decide(orderId, 'COMPLETED'));
  }

  /** A pending capture is denied. */
  deny(orderId: string): boolean {
    return this.#did(this.#orders.decide(orderId, 'DECLINED'));
  }

  /** @param more overrides fields of the event, which is signed as it then is */
  emit(
    type: string,
    resourceType: 'checkout-order' | 'capture',
    resource: object,
    more: Readonly<Record<string, unknown>> = {},
  ): string {
    const createdAt = this.#now();
    const part = () => drawText(this.#random, 17, CAPITALS_AND_DIGITS);
    const id = `WH-${part()}-${part()}`;
    const self = `${this.#baseUrl}/v1/notifications/webhooks-events/${id}`;
    const body = writeBody({
      id,
      event_version: '1.0',
      create_time: new Date(createdAt).toISOString(),
      resource_type: resourceType,
      resource_version: '2.0',
      event_type: type,
      summary: `${type} (test)`,
      resource,
      links: [
        { href: self, rel: 'self', method: 'GET' },
        { href: `${self}/resend`, rel: 'resend', method: 'POST' },
      ],
      ...more,
    });
    this.webhooks.add({ id, type, body, createdAt, isAccepted: false });
    return id;
  }

  #emitFor(type: PayPalEvent, order: StoredOrder): string {
    return order.capture === null
      ? this.emit(type, 'checkout-order', orderObject(order, this.#baseUrl))
      : this.emit(type, 'capture', captureWithOrder(order, order.capture, this.#baseUrl));
  }

  #did(done: boolean): boolean {
    this.#changed();
    return done;
  }

  async #answer(request: Request, body: string): Promise<Response> {
    const { pathname: path, searchParams: query } = new URL(request.url);
    const { method, headers } = request;
    const point = new FaultPoint(this.switches.choose(`${method} ${path}`));
    point.arrive();
    this.#api.forgetOld();
    let answer: Response;
    if (/^\/v\d\//.test(path)) {
      answer = await this.#api.answer({ method, path, query, body, headers }, point);
    } else {
      const deed = method === 'POST' ? new URLSearchParams(body).get('deed') : null;
      answer =
        answerSdk({ method, path, body }, this.#orders, this.#sdkApiUrl) ??
        answerPage(path, query.get('token'), deed, this.#orders);
    }
    if (method === 'POST') this.#changed();
    await point.leave();
    return answer;
  }

  #transmissionId(): string {
    const part = (length: number) => drawText(this.#random, length, '0123456789abcdef');
    return [8, 4, 4, 4, 12].map(part).join('-');
  }
}

/** An emulator without an address, for requests from within this process. */
export function createPayPal(options: PayPalOptions = {}): LocalPayPal {
  return new LocalPayPal(options);
}
