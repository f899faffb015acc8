/** What a simulated tab offers to the page's code beside the globals that go by the clock's actor. */

/** As much of a realtime connection as the page uses. */
export interface Socket {
  join(uid: string, notify: () => void, tell: (status: string) => void): void;
  leave(): void;
}

export interface PageHost {
  readonly Date: DateConstructor;
  /** A real one would settle outside simulated time. */
  readonly Response: unknown;
  readonly performance: { readonly now: () => number };
  readonly console: Pick<Console, 'log' | 'warn' | 'error' | 'debug' | 'info'>;
  readonly IDBKeyRange: unknown;
  /** The JavaScript IndexedDB that the product falls back to; it dies with the tab. */
  newMemory(): IDBFactory;
  realtime(): Socket;
}

/** As much of a Response as the product reads. */
export class SimulatedResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Headers;
  readonly body = null;
  #text: string | null;

  /** @param text null for an answer that was cut off */
  constructor(text: string | null, { status = 200 }: { readonly status?: number } = {}) {
    this.#text = text;
    this.status = status;
    const type = text?.startsWith('<') ? 'text/html' : 'application/json';
    this.headers = new Headers({ 'content-type': type });
    this.ok = status >= 200 && status < 300;
  }

  text(): Promise<string> {
    return this.#text === null
      ? Promise.reject(new TypeError('terminated'))
      : Promise.resolve(this.#text);
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
}

/** `Date` by the simulated clock. */
export function simulatedDate(now: () => number): DateConstructor {
  return class extends Date {
    constructor(given?: number | string) {
      super(given ?? now());
    }

    static override now(): number {
      return now();
    }
  } as DateConstructor;
}
