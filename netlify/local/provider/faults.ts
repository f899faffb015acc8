/**
 * What can go wrong with a request to a payment provider, as switches. A fault strikes `before` or
 * `after` the request has taken effect, and the shop cannot see which of the two it was.
 */

export type Moment = 'before' | 'after';

export type RequestFault =
  /** Answered with 500. */
  | { readonly kind: 'fail'; readonly moment: Moment }
  /** The connection is cut: no answer. */
  | { readonly kind: 'cut'; readonly moment: Moment }
  /** Held until the promise is settled; one that never is, hangs. The effect comes all the same. */
  | { readonly kind: 'wait'; readonly moment: Moment; readonly until: Promise<unknown> }
  /** Turned away at the door, as under overload. */
  | { readonly kind: 'refuse'; readonly status: 429 | 503 };

/** @param route method and path, such as `POST /v1/checkout/sessions` */
export type ChooseFault = (route: string) => RequestFault | undefined;

/** What a page's or a function's `fetch` throws when the other side is gone. */
export class ConnectionCut extends TypeError {
  override readonly name = 'ConnectionCut';
  constructor() {
    const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    super('fetch failed', { cause });
  }
}

/** The provider broke down; answered with its own kind of 500. */
export class ServerBroke extends Error {
  override readonly name = 'ServerBroke';
}

/** The fault of one request, or none, asked at the points where it may strike. */
export class FaultPoint {
  readonly #fault: RequestFault | undefined;

  constructor(fault: RequestFault | undefined) {
    this.#fault = fault;
  }

  /** The status with which the request is turned away. */
  get refusal(): 429 | 503 | undefined {
    return this.#fault?.kind === 'refuse' ? this.#fault.status : undefined;
  }

  /** @throws ConnectionCut when the request never arrives */
  arrive(): void {
    if (this.#strikes('cut', 'before')) throw new ConnectionCut();
  }

  /**
   * Runs what the request is for.
   *
   * @throws ServerBroke, and whatever `effect` throws
   */
  async around<T>(effect: () => T): Promise<T> {
    if (this.#fault?.kind === 'wait' && this.#fault.moment === 'before') await this.#fault.until;
    if (this.#strikes('fail', 'before')) throw new ServerBroke();
    const result = effect();
    if (this.#strikes('fail', 'after')) throw new ServerBroke();
    return result;
  }

  /** @throws ConnectionCut when the answer never arrives */
  async leave(): Promise<void> {
    if (this.#fault?.kind === 'wait' && this.#fault.moment === 'after') await this.#fault.until;
    if (this.#strikes('cut', 'after')) throw new ConnectionCut();
  }

  #strikes(kind: RequestFault['kind'], moment: Moment): boolean {
    const fault = this.#fault;
    return fault?.kind === kind && 'moment' in fault && fault.moment === moment;
  }
}

/** Faults for chosen requests, each used once: `next` says for which route and what. */
export class Switches {
  readonly #waiting: { readonly route: RegExp; readonly fault: RequestFault }[] = [];
  readonly #otherwise: ChooseFault;

  constructor(otherwise: ChooseFault = () => undefined) {
    this.#otherwise = otherwise;
  }

  /** Strikes the next request whose method and path match. */
  next(route: RegExp, fault: RequestFault): void {
    this.#waiting.push({ route, fault });
  }

  choose(route: string): RequestFault | undefined {
    const index = this.#waiting.findIndex((waiting) => waiting.route.test(route));
    return index < 0 ? this.#otherwise(route) : this.#waiting.splice(index, 1)[0]?.fault;
  }
}

/** The answer, unless whoever asked has gone; the work itself goes on. */
export function unlessGone(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
  answer.catch(() => undefined);
  return new Promise((done, failed) => {
    const leave = () => failed(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    answer.then(done, failed).finally(() => signal.removeEventListener('abort', leave));
  });
}
