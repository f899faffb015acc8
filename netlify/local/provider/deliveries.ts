/** Sends the provider's webhooks to the shop, each once and at once. A test can also lose, delay and repeat them. */

export interface HookEvent {
  readonly id: string;
  readonly type: string;
  /** What is sent, byte for byte. */
  readonly body: string;
}

export interface DeliveryOptions {
  /** The shop's address for events. Without an address, none is sent before `sendTo` names one. */
  readonly url?: string;
  /** Whether an event is lost; `deliver` still sends it. */
  readonly drop?: (event: HookEvent) => boolean;
  readonly send?: (request: Request) => Promise<Response>;
}

const TIMEOUT_MS = 20_000;

export class Deliveries {
  /** Oldest first. */
  readonly events: HookEvent[] = [];
  readonly #options: DeliveryOptions;
  readonly #sign: (body: string) => Readonly<Record<string, string>>;
  readonly #underWay = new Set<Promise<unknown>>();
  #url: string | undefined;

  /** @param sign makes the headers that prove to the shop that the provider sent this body */
  constructor(options: DeliveryOptions, sign: (body: string) => Readonly<Record<string, string>>) {
    this.#options = options;
    this.#sign = sign;
    this.#url = options.url;
  }

  /** Sends events here from now on; undefined sends none. */
  sendTo(url: string | undefined): void {
    this.#url = url;
  }

  add(event: HookEvent): void {
    this.events.push(event);
    if (this.#url === undefined || this.#options.drop?.(event)) return;
    const work = this.deliver(event.id).finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  /** The request that delivers an event, signed now. */
  requestFor(id: string, url = this.#url): Request {
    const event = this.events.find((other) => other.id === id);
    if (event === undefined) throw new Error(`There is no event ${id}.`);
    if (url === undefined) throw new Error('There is no address to send events to.');
    const { body } = event;
    const headers = { 'content-type': 'application/json; charset=utf-8', ...this.#sign(body) };
    return new Request(url, { method: 'POST', headers, body });
  }

  /** Sends an event now, whatever was sent before. @returns the status of the answer, 0 without one */
  async deliver(id: string): Promise<number> {
    const { send = sendByFetch } = this.#options;
    const answer = await send(this.requestFor(id)).catch(() => undefined);
    await answer?.body?.cancel().catch(() => undefined);
    return answer?.status ?? 0;
  }

  /** Waits until nothing is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }
}

function sendByFetch(request: Request): Promise<Response> {
  return fetch(request, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' });
}
