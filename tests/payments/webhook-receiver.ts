/** What the tests of both emulators share: a receiver of webhooks, and a clock that only they move. */

export interface ReceivedWebhook {
  readonly body: string;
  readonly headers: Headers;
}

/** Stands for the shop's webhook functions: records each request and answers with the statuses of a test. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  /** The statuses of the next answers; 200 when the list is empty. */
  readonly statuses: number[] = [];

  readonly send = async (request: Request): Promise<Response> => {
    this.received.push({ body: await request.text(), headers: request.headers });
    return new Response(null, { status: this.statuses.shift() ?? 200 });
  };

  /** The parsed bodies. */
  get events(): readonly Record<string, unknown>[] {
    return this.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  }
}

/** A clock that only a test moves, and timers that depend on it. */
export class ManualClock {
  ms = Date.UTC(2026, 10, 21, 12);
  readonly #timers: { at: number; run: () => void }[] = [];

  readonly now = (): number => this.ms;

  readonly later = (ms: number, run: () => void): void => {
    this.#timers.push({ at: this.ms + ms, run });
  };

  /** Moves the clock on and runs the timers that become due, in their order. */
  advance(ms: number): void {
    const end = this.ms + ms;
    for (;;) {
      const [next] = this.#timers
        .filter(({ at }) => at <= end)
        .toSorted((one, other) => one.at - other.at);
      if (next === undefined) break;
      this.#timers.splice(this.#timers.indexOf(next), 1);
      this.ms = Math.max(this.ms, next.at);
      next.run();
    }
    this.ms = end;
  }
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
