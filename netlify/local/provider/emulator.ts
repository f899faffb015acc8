/**
 * What the emulators of Stripe and PayPal share: requests with their faults, webhooks, and what happens to a
 * payment: a pending one is decided, and one that succeeded is refunded or disputed. All is kept in memory: a restart
 * forgets it.
 *
 * An emulator needs no address: `handle` takes a request and gives the answer, so thousands of
 * schedules can run in one process. Time, chance, faults and the way to the shop are arguments.
 */
import { addAbortListener } from 'node:events';
import { type Random, secureRandom } from './chance.ts';
import { Deliveries, type DeliveryOptions } from './deliveries.ts';
import { type ChooseFault, cutAt, type RequestFault, RequestFaults } from './faults.ts';
import {
  remainderOf,
  type StoredCheckout,
  type StoredDispute,
  type StoredPayment,
  type StoredPaymentStatus,
  type StoredRefund,
} from './payment.ts';

export interface EmulatorOptions {
  /** Where the API and the pages are. */
  readonly baseUrl?: string;
  readonly webhook?: DeliveryOptions;
  /** The fault of a request for which `faults.next` sets none. */
  readonly chooseFault?: ChooseFault;
  /** In milliseconds since 1970. */
  readonly now?: () => number;
  readonly random?: Random;
}

/** A request to an emulator, read whole. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: string;
  /** What goes wrong with this request. */
  readonly fault: RequestFault | undefined;
}

/** What a person can decide about a payment now, by the words of its button. */
export type Decisions = Map<string, () => unknown>;

/** How a payment that was pending ends. */
export type PaymentEnd = 'succeeded' | 'failed';

export abstract class Emulator<Checkout extends StoredCheckout> {
  /** Sets what goes wrong with the next requests. */
  readonly faults: RequestFaults;
  readonly webhooks: Deliveries;
  readonly baseUrl: string;
  readonly now: () => number;
  readonly random: Random;
  protected readonly checkoutsById = new Map<string, Checkout>();

  /** @param sign makes the headers of a webhook with this body */
  constructor(
    { baseUrl = 'http://127.0.0.1', webhook = {}, chooseFault, now, random }: EmulatorOptions,
    sign: (body: string) => Readonly<Record<string, string>>,
  ) {
    this.baseUrl = baseUrl;
    this.now = now ?? Date.now;
    this.random = random ?? secureRandom;
    this.faults = new RequestFaults(chooseFault);
    this.webhooks = new Deliveries(webhook, sign);
  }

  /** Ends what has run out of time; every request does so too. */
  abstract tick(): void;

  protected abstract answer(call: Call): Promise<Response>;

  protected abstract newId(of: 'payment' | 'refund' | 'dispute'): string;

  /** The provider's error where there is no such checkout. */
  protected abstract missing(checkoutId: string): Error;

  /** Tells the shop how a payment that was pending has ended. */
  protected abstract tellDecision(checkout: Checkout, outcome: PaymentEnd): void;

  protected abstract tellRefund(refund: StoredRefund): void;

  /** Tells the shop that a dispute is new, or that it is over. */
  protected abstract tellDispute(dispute: StoredDispute): void;

  /** Answers a request to the API or for a page. @throws ConnectionCut where a fault says so */
  async handle(request: Request): Promise<Response> {
    const body = await request.text();
    const { pathname: path, searchParams: query } = new URL(request.url);
    const { method, headers } = request;
    const fault = this.faults.take(`${method} ${path}`);
    return unlessAborted(
      this.#serve({ method, path, query, headers, body, fault }),
      request.signal,
    );
  }

  async #serve(call: Call): Promise<Response> {
    cutAt('before', call.fault);
    this.tick();
    const answer = await this.answer(call);
    cutAt('after', call.fault);
    return answer;
  }

  /** Newest first. */
  get checkouts(): readonly Checkout[] {
    return [...this.checkoutsById.values()].toReversed();
  }

  /** The payments that succeeded. */
  get payments(): readonly StoredPayment[] {
    return this.checkouts.flatMap(({ payment }) =>
      payment?.status === 'succeeded' ? payment : [],
    );
  }

  /** The money that the provider has taken for the shop: the truth against which orders are checked. */
  get receipts() {
    return this.checkouts.flatMap(({ id: sourceId, reference, payment }) => {
      if (payment?.status !== 'succeeded') return [];
      const { id: paymentId, amount: amountMinor } = payment;
      return { sourceId, paymentId, reference, amountMinor, currency: 'USD' as const };
    });
  }

  /** @throws the provider's error */
  find(checkoutId: string): Checkout {
    const checkout = this.checkoutsById.get(checkoutId);
    if (checkout === undefined) throw this.missing(checkoutId);
    return checkout;
  }

  /** A payment that was pending succeeds, or fails. @returns false when it is not pending */
  settle(checkoutId: string, outcome: PaymentEnd = 'succeeded'): boolean {
    const checkout = this.find(checkoutId);
    if (checkout.payment?.status !== 'pending') return false;
    checkout.payment.status = outcome;
    this.tellDecision(checkout, outcome);
    return true;
  }

  /** In cents. */
  refundable(payment: StoredPayment): number {
    return remainderOf(payment);
  }

  /**
   * The shop sends money back, from the provider's dashboard.
   *
   * @param amount in cents; all that is left when absent
   */
  refund(
    paymentId: string,
    amount?: number,
    status: StoredPaymentStatus = 'succeeded',
  ): StoredRefund {
    const payment = this.#findPayment(paymentId);
    const left = this.refundable(payment);
    const cents = amount ?? left;
    if (cents > left || left === 0) throw new Error(`Only ${left} cents can be refunded.`);
    const refund = this.addRefund(payment, cents, status);
    this.tellRefund(refund);
    return refund;
  }

  /**
   * The buyer disputes the payment.
   *
   * @param amount in cents; the whole payment when absent
   * @returns false when it is disputed already
   */
  dispute(paymentId: string, amount?: number): boolean {
    const payment = this.#findPayment(paymentId);
    if (payment.dispute) return false;
    const [id, updatedAt] = [this.newId('dispute'), this.now()];
    const disputed = amount ?? payment.amount;
    payment.dispute = { id, paymentId, amount: disputed, updatedAt, status: 'open' };
    this.tellDispute(payment.dispute);
    return true;
  }

  /** @returns false when no dispute is open */
  closeDispute(paymentId: string, status: 'won' | 'lost'): boolean {
    const payment = this.#findPayment(paymentId);
    if (payment.dispute?.status !== 'open') return false;
    payment.dispute.status = status;
    payment.dispute.updatedAt = this.now();
    this.tellDispute(payment.dispute);
    return true;
  }

  decisionsOn({ id, payment }: Checkout): Decisions {
    const decisions: Decisions = new Map();
    if (payment?.status === 'pending') {
      decisions.set('The money arrives', () => this.settle(id));
      decisions.set('It fails', () => this.settle(id, 'failed'));
    }
    if (payment?.status !== 'succeeded') return decisions;
    const left = this.refundable(payment);
    if (left > 0) {
      decisions.set('Refund half', () => this.refund(payment.id, Math.ceil(left / 2)));
      decisions.set('Refund the rest', () => this.refund(payment.id));
    }
    if (!payment.dispute) decisions.set('The buyer disputes it', () => this.dispute(payment.id));
    if (payment.dispute?.status === 'open') {
      decisions.set('The shop wins', () => this.closeDispute(payment.id, 'won'));
      decisions.set('The shop loses', () => this.closeDispute(payment.id, 'lost'));
    }
    return decisions;
  }

  protected addPayment(checkout: Checkout, status: StoredPaymentStatus): void {
    const { amount } = checkout;
    const [id, createdAt] = [this.newId('payment'), this.now()];
    checkout.payment = { id, createdAt, amount, status, refunds: [], dispute: null };
  }

  protected addRefund(
    payment: StoredPayment,
    amount: number,
    status: StoredPaymentStatus,
  ): StoredRefund {
    const [id, createdAt] = [this.newId('refund'), this.now()];
    const refund = { id, paymentId: payment.id, createdAt, amount, status };
    payment.refunds.push(refund);
    return refund;
  }

  #findPayment(id: string): StoredPayment {
    const payment = this.payments.find((other) => other.id === id);
    if (payment === undefined) throw new Error(`There is no payment ${id}.`);
    return payment;
  }
}

/** Fails when the client aborts its request; the work itself goes on. */
function unlessAborted(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
  const aborted = new Promise<never>((_, fail) => {
    addAbortListener(signal, () => fail(signal.reason as Error));
  });
  return Promise.race([answer, aborted]);
}
