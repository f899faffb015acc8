/**
 * What the emulators of Stripe and PayPal share: requests with their faults, webhooks, and the state
 * that outlives a restart.
 *
 * An emulator needs no address: `handle` takes a request and gives the answer, so thousands of
 * schedules can run in one process. Time, chance, faults and the way to the shop are arguments.
 */
import type { Random } from './chance.ts';
import { secureRandom } from './chance.ts';
import type { DeliveryOptions, HookEvent, Sign } from './deliveries.ts';
import { Deliveries } from './deliveries.ts';
import type { ChooseFault, RequestFault } from './faults.ts';
import { cutAt, Faults } from './faults.ts';
import type { StoredDispute, StoredPayment, StoredRefund } from './payment.ts';
import { remainderOf } from './payment.ts';

export interface EmulatorOptions<State> {
  /** Where the API and the pages are. */
  readonly baseUrl?: string;
  readonly webhook?: DeliveryOptions;
  /** The fault of a request for which `faults.next` sets none. */
  readonly chooseFault?: ChooseFault;
  /** In milliseconds since 1970. */
  readonly now?: () => number;
  readonly random?: Random;
  readonly state?: State;
  /** Gets all that is to be kept, after every change. */
  readonly onChange?: (state: State) => void;
}

/** Plain data, so that it can be kept in a file. */
export interface EmulatorState {
  readonly events: Record<string, HookEvent>;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: string;
  readonly fault: RequestFault | undefined;
}

/** Money that a provider has taken for the shop: the truth against which orders are checked. */
export interface Receipt extends Pick<StoredPayment, 'sourceId' | 'reference'> {
  readonly paymentId: string;
  /** In cents. */
  readonly amountMinor: number;
  readonly currency: 'USD';
}

export abstract class Emulator<State extends EmulatorState> {
  /** What goes wrong with the next requests. */
  readonly faults: Faults;
  readonly webhooks: Deliveries;
  readonly baseUrl: string;
  readonly state: State;
  readonly now: () => number;
  readonly random: Random;
  readonly #onChange: (state: State) => void;

  /**
   * @param kept the records of the state, beside its events
   * @param sign makes the headers of a webhook with this body
   */
  constructor(options: EmulatorOptions<State>, kept: readonly (keyof State)[], sign: Sign) {
    this.baseUrl = options.baseUrl ?? 'http://127.0.0.1';
    this.state = restore(options.state, ['events', ...kept]);
    this.now = options.now ?? Date.now;
    this.random = options.random ?? secureRandom;
    this.#onChange = options.onChange ?? (() => undefined);
    this.faults = new Faults(options.chooseFault);
    this.webhooks = new Deliveries(this.state.events, options.webhook ?? {}, sign, () =>
      this.#onChange(this.state),
    );
  }

  /** Those that succeeded. */
  abstract get payments(): readonly StoredPayment[];

  /** Ends what has run out of time; every request does so too. */
  abstract tick(): void;

  protected abstract answer(call: Call): Promise<Response>;

  protected abstract newId(of: 'refund' | 'dispute'): string;

  protected abstract tellRefund(payment: StoredPayment, refund: StoredRefund): void;

  /** Tells the shop that a dispute is new, or that it is over. */
  protected abstract tellDispute(payment: StoredPayment, dispute: StoredDispute): void;

  /** @param left what could be refunded; undefined for a payment that there is not */
  protected abstract refundError(paymentId: string, left?: number): Error;

  get receipts(): readonly Receipt[] {
    return this.payments.map(({ id: paymentId, sourceId, reference, amount: amountMinor }) => {
      return { sourceId, paymentId, reference, amountMinor, currency: 'USD' };
    });
  }

  /** In cents. */
  refundable(payment: StoredPayment): number {
    return remainderOf(payment);
  }

  /**
   * The shop sends money back.
   *
   * @param amount in cents; all that is left when absent
   * @throws the provider's error where there is no such payment, or not so much left of it
   */
  refund(
    paymentId: string,
    amount?: number,
    status: StoredRefund['status'] = 'succeeded',
  ): StoredRefund {
    const payment = this.#paid(paymentId);
    const left = this.refundable(payment);
    if (left === 0 || (amount ?? left) > left) throw this.refundError(paymentId, left);
    const refund = this.addRefund(payment, amount ?? left, status);
    this.tellRefund(payment, refund);
    return refund;
  }

  /** The buyer takes the payment back for the time being. @returns false when it is disputed already */
  dispute(paymentId: string, amount?: number): boolean {
    const payment = this.#paid(paymentId);
    if (payment.dispute) return false;
    const now = this.now();
    payment.dispute = {
      id: this.newId('dispute'),
      createdAt: now,
      amount: amount ?? payment.amount,
      updatedAt: now,
      status: 'open',
    };
    this.tellDispute(payment, payment.dispute);
    return true;
  }

  /** @returns false when no dispute is open */
  closeDispute(paymentId: string, status: 'won' | 'lost'): boolean {
    const payment = this.#paid(paymentId);
    if (payment.dispute?.status !== 'open') return false;
    payment.dispute.status = status;
    payment.dispute.updatedAt = this.now();
    this.tellDispute(payment, payment.dispute);
    return true;
  }

  protected addRefund(
    payment: StoredPayment,
    amount: number,
    status: StoredRefund['status'],
  ): StoredRefund {
    const refund = { id: this.newId('refund'), createdAt: this.now(), amount, status };
    payment.refunds.push(refund);
    return refund;
  }

  #paid(id: string): StoredPayment {
    const payment = this.payments.find((other) => other.id === id);
    if (payment === undefined) throw this.refundError(id);
    return payment;
  }

  /** Answers a request to the API or for a page. @throws ConnectionCut where a fault says so */
  async handle(request: Request): Promise<Response> {
    const body = await request.text();
    const { pathname: path, searchParams: query } = new URL(request.url);
    const { method, headers } = request;
    const fault = this.faults.take(`${method} ${path}`);
    const call = { method, path, query, headers, body, fault };
    return unlessAborted(this.#serve(call), request.signal);
  }

  async #serve(call: Call): Promise<Response> {
    cutAt('before', call.fault);
    this.tick();
    const answer = await this.answer(call);
    if (call.method === 'POST') this.#onChange(this.state);
    cutAt('after', call.fault);
    return answer;
  }
}

/** Records without a prototype: a name that comes in a request finds only what was put there. */
function restore<State>(kept: State | undefined, names: readonly (keyof State)[]): State {
  const bare = (record: unknown) => Object.assign(Object.create(null) as object, record);
  return Object.fromEntries(names.map((name) => [name, bare(kept?.[name])])) as State;
}

/** Fails when the client aborts its request; the work itself goes on. */
function unlessAborted(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
  const aborted = new Promise<never>((_, fail) => {
    const abort = () => fail(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
  });
  return Promise.race([answer, aborted]);
}
