/**
 * What can go wrong with a request to a payment provider. A fault strikes `before` or `after` the
 * request has taken effect, and the shop cannot see which of the two it was.
 */

export type Moment = 'before' | 'after';

export type RequestFault =
  /** Answered with 500. */
  | { readonly kind: 'fail'; readonly moment: Moment }
  /** The connection is cut: no answer. */
  | { readonly kind: 'cut'; readonly moment: Moment }
  /** Held until the promise is settled, and then served; one that never is, hangs. */
  | { readonly kind: 'wait'; readonly until: Promise<unknown> }
  /** Rejected without effect, as under overload. */
  | { readonly kind: 'reject'; readonly status: 429 | 503 };

/** @param route method and path, such as `POST /v1/checkout/sessions` */
export type ChooseFault = (route: string) => RequestFault | undefined;

/** What `fetch` throws when the connection is cut. */
export class ConnectionCut extends TypeError {
  override readonly name = 'ConnectionCut';
  constructor() {
    const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    super('fetch failed', { cause });
  }
}

/** The provider broke down; each answers it with its own kind of 500. */
export class ServerBroke extends Error {
  override readonly name = 'ServerBroke';
}

/** Faults for chosen requests, each used once. */
export class Faults {
  readonly #waiting: { readonly route: RegExp; readonly fault: RequestFault }[] = [];
  readonly #otherwise: ChooseFault;

  constructor(otherwise: ChooseFault = () => undefined) {
    this.#otherwise = otherwise;
  }

  /** Strikes the next request whose method and path match. */
  next(route: RegExp, fault: RequestFault): void {
    this.#waiting.push({ route, fault });
  }

  take(route: string): RequestFault | undefined {
    const index = this.#waiting.findIndex((waiting) => waiting.route.test(route));
    return index < 0 ? this.#otherwise(route) : this.#waiting.splice(index, 1)[0]?.fault;
  }
}

/** @throws ConnectionCut when the fault cuts the connection at this moment */
export function cutAt(moment: Moment, fault: RequestFault | undefined): void {
  if (fault?.kind === 'cut' && fault.moment === moment) throw new ConnectionCut();
}

/**
 * Runs what a request is for.
 *
 * @throws ServerBroke where the fault says so, and what `effect` throws
 */
export async function withFault<T>(fault: RequestFault | undefined, effect: () => T): Promise<T> {
  if (fault?.kind === 'wait') await fault.until;
  if (fault?.kind === 'fail' && fault.moment === 'before') throw new ServerBroke();
  const result = effect();
  if (fault?.kind === 'fail') throw new ServerBroke();
  return result;
}
