/**
 * Tells the shop what happened at a provider: at least once, in any order.
 *
 * An event is sent as its plan says, by default once and at once, and again after each answer that
 * is not 2xx, a bounded number of times. Plans are the switches: `[]` drops the event, two entries
 * double it, `afterMs` delays it (and so reorders), `forgery` falsifies it. `deliver` sends one event
 * now, which is all that a test with a schedule of its own needs.
 */

export interface HookEvent {
  readonly id: string;
  readonly type: string;
  /** What is sent, byte for byte. */
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Whether the shop has answered 2xx to it. */
  isAccepted: boolean;
}

/** What is wrong with a delivery. */
export interface Forgery {
  /** Signed with this secret instead of the shop's. */
  readonly secret?: string;
  /** Not signed at all. */
  readonly isUnsigned?: boolean;
  /** Changes the body after it was signed. */
  readonly tamper?: (body: string) => string;
  /** Signed this long ago. */
  readonly ageMs?: number;
}

export interface Sending {
  readonly afterMs: number;
  readonly forgery?: Forgery;
}

export interface DeliveryOptions {
  /** Where the shop hears of events; without it they wait for `sendTo`. */
  readonly url?: string;
  readonly plan?: (event: HookEvent) => readonly Sending[];
  readonly send?: (request: Request) => Promise<Response>;
  /** Calls `work` after this time, and gives back what calls it off. */
  readonly later?: (ms: number, work: () => void) => () => void;
  readonly retryAfterMs?: readonly number[];
}

/** Headers that make a body look genuine. */
export type Sign = (event: HookEvent, forgery: Forgery) => Readonly<Record<string, string>>;

const ONCE: readonly Sending[] = [{ afterMs: 0 }];
const RETRY_AFTER_MS = [1_000, 5_000, 30_000, 120_000, 600_000];
const TIMEOUT_MS = 20_000;

export class Deliveries {
  readonly #events: Record<string, HookEvent>;
  readonly #options: DeliveryOptions;
  readonly #sign: Sign;
  readonly #changed: () => void;
  readonly #calledOff = new Set<() => void>();
  readonly #underWay = new Set<Promise<unknown>>();
  #url: string | undefined;

  /** @param events kept by the caller, who is told when one was added or accepted */
  constructor(
    events: Record<string, HookEvent>,
    options: DeliveryOptions,
    sign: Sign,
    changed: () => void,
  ) {
    this.#events = events;
    this.#options = options;
    this.#sign = sign;
    this.#changed = changed;
    if (options.url !== undefined) this.sendTo(options.url);
  }

  /** All events, oldest first. */
  get events(): readonly HookEvent[] {
    return Object.values(this.#events);
  }

  /** Those that the shop has not accepted. */
  get waiting(): readonly HookEvent[] {
    return this.events.filter((event) => !event.isAccepted);
  }

  /** Sends here from now on, beginning with what waits. */
  sendTo(url: string): void {
    this.#url = url;
    for (const event of this.waiting) this.#follow(event);
  }

  add(event: HookEvent): void {
    this.#events[event.id] = event;
    this.#changed();
    if (this.#url !== undefined) this.#follow(event);
  }

  /**
   * Sends an event now, whatever was sent before.
   *
   * @returns the status of the shop's answer, or undefined when there was none
   */
  async deliver(id: string, forgery?: Forgery): Promise<number | undefined> {
    const event = this.#events[id];
    if (event === undefined) throw new Error(`There is no event ${id}.`);
    if (this.#url === undefined) throw new Error('There is no address to send events to.');
    const status = await this.#post(this.#url, event, forgery ?? {});
    if (isTaken(status) && forgery === undefined && !event.isAccepted) {
      event.isAccepted = true;
      this.#changed();
    }
    return status;
  }

  /** Until nothing is under way; what is planned for later is not waited for. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Nothing planned is sent any more. */
  close(): void {
    for (const callOff of this.#calledOff) callOff();
    this.#calledOff.clear();
    this.#url = undefined;
  }

  #follow(event: HookEvent): void {
    for (const sending of (this.#options.plan ?? (() => ONCE))(event)) {
      this.#after(sending.afterMs, () => this.#attempt(event, sending.forgery, 0));
    }
  }

  async #attempt(event: HookEvent, forgery: Forgery | undefined, failures: number): Promise<void> {
    const status = await this.deliver(event.id, forgery);
    const retryMs = (this.#options.retryAfterMs ?? RETRY_AFTER_MS)[failures];
    if (isTaken(status) || forgery !== undefined || retryMs === undefined) return;
    if (this.#url !== undefined) {
      this.#after(retryMs, () => this.#attempt(event, forgery, failures + 1));
    }
  }

  #after(ms: number, work: () => Promise<void>): void {
    if (ms === 0) {
      const running = work().finally(() => this.#underWay.delete(running));
      this.#underWay.add(running);
      return;
    }
    const callOff = (this.#options.later ?? laterByClock)(ms, () => {
      this.#calledOff.delete(callOff);
      this.#after(0, work);
    });
    this.#calledOff.add(callOff);
  }

  async #post(url: string, event: HookEvent, forgery: Forgery): Promise<number | undefined> {
    const request = new Request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', ...this.#sign(event, forgery) },
      body: forgery.tamper?.(event.body) ?? event.body,
    });
    try {
      const answer = await (this.#options.send ?? sendByFetch)(request);
      await answer.body?.cancel();
      return answer.status;
    } catch {
      // The shop cannot be reached or broke off: as good as an answer that says so.
      return undefined;
    }
  }
}

function isTaken(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

function sendByFetch(request: Request): Promise<Response> {
  return fetch(request, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' });
}

function laterByClock(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms).unref();
  return () => clearTimeout(timer);
}
