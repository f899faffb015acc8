/**
 * What can go wrong with a request to a payment provider. A fault strikes `before` or `after` the
 * request has taken effect, and the shop cannot see which of the two it was.
 */

type Moment = 'before' | 'after';

export type RequestFault =
  /** Answered with 500. */
  | { readonly kind: 'fail'; readonly moment: Moment }
  /** The connection is cut: no answer. */
  | { readonly kind: 'cut'; readonly moment: Moment }
  /** Held until the promise is settled, and then served. */
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

/** The provider cannot serve the request. Each emulator answers that in the words of its provider. */
export class Unserved extends Error {
  override readonly name = 'Unserved';
  readonly status: 429 | 500 | 503;

  constructor(status: Unserved['status']) {
    super('This emulator was told to fail.');
    this.status = status;
  }
}

/** Faults for requests: each that `next` adds strikes once, and `otherwise` chooses for the other requests. */
export class RequestFaults {
  readonly #waiting: { readonly route: RegExp; readonly fault: RequestFault }[] = [];
  readonly #otherwise: ChooseFault;

  constructor(otherwise: ChooseFault = () => undefined) {
    this.#otherwise = otherwise;
  }

  /** Strikes the next request whose method and path match. */
  next(route: RegExp, fault: RequestFault): void {
    this.#waiting.push({ route, fault });
  }

  /** Removes and returns the fault for a request; undefined for none. */
  take(route: string): RequestFault | undefined {
    const index = this.#waiting.findIndex((waiting) => waiting.route.test(route));
    return index < 0 ? this.#otherwise(route) : this.#waiting.splice(index, 1)[0]?.fault;
  }
}

/** @throws ConnectionCut when the fault cuts the connection at this moment */
export function cutAt(moment: Moment, fault: RequestFault | undefined): void {
  if (fault?.kind === 'cut' && fault.moment === moment) throw new ConnectionCut();
}

/** @throws Unserved when the fault is overload */
export function rejectBy(fault: RequestFault | undefined): void {
  if (fault?.kind === 'reject') throw new Unserved(fault.status);
}

/**
 * Runs what a request is for, with a fault of the kind `wait` or `fail`. `cutAt` and `rejectBy` are for the
 * other kinds.
 *
 * @throws Unserved where the fault says so, and what `effect` throws
 */
export async function withFault<T>(fault: RequestFault | undefined, effect: () => T): Promise<T> {
  if (fault?.kind === 'wait') await fault.until;
  if (fault?.kind === 'fail' && fault.moment === 'before') throw new Unserved(500);
  const result = effect();
  if (fault?.kind === 'fail') throw new Unserved(500);
  return result;
}
