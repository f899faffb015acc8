/**
 * PayPal-Request-Id: a request that is sent again does nothing again and is answered with how things
 * stand now, 200 instead of 201, whatever its body says. While the first is under way, a second may
 * fail. That a payer's instrument was declined is remembered too: trying again after another
 * approval takes another id. Ids are kept for 6 hours.
 *
 * Source: developer.paypal.com/api/rest/reference/idempotency and the schema's parameter; that
 * declines are remembered is the stricter reading, where they are silent.
 */
import { PayPalError, unprocessable } from './failure.ts';
import type { PayPalState, StoredOrder } from './state.ts';

const KEPT_MS = 6 * 60 * 60 * 1000;

export interface IdentifiedCall {
  /** What the id counts for: the path of the request. */
  readonly path: string;
  readonly id: string | null;
  readonly now: number;
}

export class RequestIds {
  readonly #requests: PayPalState['requests'];
  readonly #underWay = new Set<string>();

  constructor(requests: PayPalState['requests']) {
    this.#requests = requests;
  }

  /**
   * @param perform does it the first time, and calls `remember` as soon as it has taken effect
   * @param find the order as it is now
   * @returns the order, and whether this request has changed anything
   * @throws PayPalError 409 while the first request is under way
   */
  async run(
    { path, id, now }: IdentifiedCall,
    perform: (remember: (order: StoredOrder) => void) => Promise<StoredOrder>,
    find: (orderId: string) => StoredOrder,
  ): Promise<{ order: StoredOrder; isNew: boolean }> {
    if (id === null) return { order: await perform(() => undefined), isNew: true };
    const key = `${path} ${id}`;
    const known = this.#requests[key];
    if (known?.isDeclined) {
      throw unprocessable('INSTRUMENT_DECLINED', 'The payer’s instrument was declined.');
    }
    if (known !== undefined) return { order: find(known.orderId), isNew: false };
    if (this.#underWay.has(key)) {
      const description = 'A previous request on this resource is currently in progress.';
      throw new PayPalError(409, [{ issue: 'PREVIOUS_REQUEST_IN_PROGRESS', description }]);
    }
    this.#underWay.add(key);
    const remember = (orderId: string, isDeclined: boolean) => {
      this.#requests[key] = { at: now, orderId, isDeclined };
    };
    try {
      return { order: await perform((order) => remember(order.id, false)), isNew: true };
    } catch (thrown) {
      const isDecline = thrown instanceof PayPalError && thrown.message === 'INSTRUMENT_DECLINED';
      if (isDecline) remember('', true);
      throw thrown;
    } finally {
      this.#underWay.delete(key);
    }
  }

  /** Every request does so first. */
  forgetOld(now: number): void {
    for (const [key, { at }] of Object.entries(this.#requests)) {
      if (now - at >= KEPT_MS) delete this.#requests[key];
    }
  }
}
