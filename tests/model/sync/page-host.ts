/** What a simulated tab provides to its page's code, in addition to the fakes of browser.ts. */

/** The part of a realtime connection that the page uses. It has one channel at most. */
export interface Socket {
  /**
   * Joins the channel of a shopper.
   *
   * @param notify called when the shopper's rows have changed
   * @param onStatus told the channel's status, one of `REALTIME_SUBSCRIBE_STATES`
   */
  join(uid: string, notify: () => void, onStatus: (status: string) => void): void;
  leave(): void;
}

/** The variables in whose scope each page's code runs (page-bundle.ts). */
export interface PageHost {
  readonly Date: DateConstructor;
  /** The promises of a real `Response` would settle outside simulated time. */
  readonly Response: unknown;
  readonly performance: { readonly now: () => number };
  readonly console: Pick<Console, 'log' | 'warn' | 'error' | 'debug' | 'info'>;
  readonly IDBKeyRange: unknown;
  /** The JavaScript IndexedDB that the product falls back to; it dies with the tab. */
  newMemory(): IDBFactory;
  /** A new connection to the realtime service. */
  realtime(): Socket;
}

/** The part of `Response` that the shop's page reads. */
export class SimulatedResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Headers;
  readonly body = null;
  #text: string | null;

  /** @param text null for an answer whose connection was cut before its body */
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

/** `Date` that reads the simulated clock. @param now the time in ms since 1970 */
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
