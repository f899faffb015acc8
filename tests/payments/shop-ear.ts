/** A shop that only listens: keeps the webhooks it is sent and answers as it is told. */

export interface Heard {
  readonly body: string;
  readonly headers: Headers;
}

export class ShopEar {
  readonly heard: Heard[] = [];
  /** Of the next answers; 200 when it is empty. */
  readonly statuses: number[] = [];

  readonly send = async (request: Request): Promise<Response> => {
    this.heard.push({ body: await request.text(), headers: request.headers });
    return new Response(null, { status: this.statuses.shift() ?? 200 });
  };

  /** The bodies, read. */
  get events(): readonly Record<string, unknown>[] {
    return this.heard.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  }
}

/** A clock that is moved by hand, and what waits on it. */
export class HandClock {
  ms = Date.UTC(2026, 10, 21, 12);
  readonly #alarms: { at: number; work: () => void }[] = [];

  readonly now = (): number => this.ms;

  readonly later = (ms: number, work: () => void): (() => void) => {
    const alarm = { at: this.ms + ms, work };
    this.#alarms.push(alarm);
    return () => this.#alarms.splice(this.#alarms.indexOf(alarm), 1);
  };

  /** Rings every alarm on the way, in its order. */
  pass(ms: number): void {
    const end = this.ms + ms;
    for (;;) {
      const [next] = this.#alarms
        .filter(({ at }) => at <= end)
        .toSorted((one, other) => one.at - other.at);
      if (next === undefined) break;
      this.#alarms.splice(this.#alarms.indexOf(next), 1);
      this.ms = Math.max(this.ms, next.at);
      next.work();
    }
    this.ms = end;
  }
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
