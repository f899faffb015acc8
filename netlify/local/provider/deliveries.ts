/**
 * Sends the provider's webhooks to the shop: at least once, in any order. An event is sent at once. Where no
 * answer comes, or one that is not 2xx, it is sent again after each pause of `RETRY_AFTER_MS`.
 */

export interface HookEvent {
  readonly id: string;
  readonly type: string;
  /** What is sent, byte for byte. */
  readonly body: string;
  /** Whether the shop has answered 2xx to it. */
  isAccepted: boolean;
}

export interface DeliveryOptions {
  /** Where the shop takes events; without it they wait for `sendTo`. */
  readonly url?: string;
  /** Whether an event is lost; `deliver` still sends it. */
  readonly drop?: (event: HookEvent) => boolean;
  readonly send?: (request: Request) => Promise<Response>;
  /** Calls `work` after this time. */
  readonly later?: (ms: number, work: () => void) => void;
}

/** The events of an emulator, and how it signs them. */
interface Source {
  readonly events: Record<string, HookEvent>;
  /** Makes the headers that prove to the shop that the provider sent this body. */
  sign(body: string): Readonly<Record<string, string>>;
  /** Runs when an event was added or accepted. */
  onChange(): void;
}

const RETRY_AFTER_MS = [1_000, 5_000, 30_000, 120_000, 600_000];
const TIMEOUT_MS = 20_000;

export class Deliveries {
  readonly #options: DeliveryOptions;
  readonly #source: Source;
  readonly #underWay = new Set<Promise<unknown>>();
  #url: string | undefined;

  constructor(options: DeliveryOptions, source: Source) {
    this.#options = options;
    this.#source = source;
    if (options.url !== undefined) this.sendTo(options.url);
  }

  /** All events, oldest first. */
  get events(): readonly HookEvent[] {
    return Object.values(this.#source.events);
  }

  /** The events that the shop has not accepted. */
  get waiting(): readonly HookEvent[] {
    return this.events.filter((event) => !event.isAccepted);
  }

  /** Sends here from now on, beginning with the events that wait. */
  sendTo(url: string): void {
    this.#url = url;
    for (const event of this.waiting) this.#start(event);
  }

  add(added: Omit<HookEvent, 'isAccepted'>): void {
    const event = { ...added, isAccepted: false };
    this.#source.events[event.id] = event;
    this.#source.onChange();
    this.#start(event);
  }

  /** The request that delivers an event, signed now. */
  requestFor(id: string, url = this.#url): Request {
    const event = this.#source.events[id];
    if (event === undefined) throw new Error(`There is no event ${id}.`);
    if (url === undefined) throw new Error('There is no address to send events to.');
    const { body } = event;
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      ...this.#source.sign(body),
    };
    return new Request(url, { method: 'POST', headers, body });
  }

  /** Sends an event now, whatever was sent before. @returns the status of the answer, 0 without one */
  async deliver(id: string): Promise<number> {
    const { send = sendByFetch } = this.#options;
    const answer = await send(this.requestFor(id)).catch(() => undefined);
    await answer?.body?.cancel().catch(() => undefined);
    const event = this.#source.events[id];
    if (event && answer?.ok && !event.isAccepted) {
      event.isAccepted = true;
      this.#source.onChange();
    }
    return answer?.status ?? 0;
  }

  /** Waits until nothing is under way; planned retries are not awaited. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Sends nothing more. */
  close(): void {
    this.#url = undefined;
  }

  #start(event: HookEvent, retriesMs: readonly number[] = RETRY_AFTER_MS): void {
    if (this.#url === undefined || this.#options.drop?.(event)) return;
    const work = this.#attempt(event, retriesMs).finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  async #attempt(event: HookEvent, [retryMs, ...furtherMs]: readonly number[]): Promise<void> {
    const { later = laterByClock } = this.#options;
    await this.deliver(event.id);
    if (event.isAccepted || retryMs === undefined) return;
    later(retryMs, () => this.#start(event, furtherMs));
  }
}

function sendByFetch(request: Request): Promise<Response> {
  return fetch(request, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' });
}

/** A retry that waits does not keep the process running. */
function laterByClock(ms: number, work: () => void): void {
  setTimeout(work, ms).unref();
}
