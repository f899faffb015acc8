/**
 * Runs a server function from one call to the outside (database, provider) to the next. At each call it
 * waits until the schedule says how the call ends. So functions can be interleaved in every way, and each
 * can die between any two calls.
 */

/**
 * The answer to a call to the outside.
 *
 * - `value`     the result of the call
 * - `rejected`  the error that the database or the auth server answered
 * - `http`      the answer of a provider
 * - `lost`      no answer came, and the call may or may not have taken effect
 */
export type Answer =
  | { readonly kind: 'value'; readonly value: unknown }
  | {
      readonly kind: 'rejected';
      readonly code: string;
      readonly message: string;
      readonly detail: string;
    }
  | {
      readonly kind: 'http';
      readonly status: number;
      readonly headers: readonly (readonly [string, string])[];
      readonly body: string;
    }
  | { readonly kind: 'lost' };

/**
 * What goes wrong with a call.
 *
 * - `lost before`, `broken before`  the call takes no effect
 * - `lost after`, `broken after`    the call takes effect
 * - `turned away`                   the provider answers 503, and the call takes no effect
 * - `expired`                       the shopper's token has just expired
 *
 * After `lost` no answer comes; after `broken` the provider answers 500.
 */
export type Fault =
  | 'lost before'
  | 'lost after'
  | 'broken before'
  | 'broken after'
  | 'turned away'
  | 'expired';

/** What a function calls: `mail` is the mail server, `pause` its wait between two calls. */
export type Target = 'auth' | 'database' | 'stripe' | 'paypal' | 'mail' | 'pause';

/** A call of a function to the outside. */
export interface OutsideCall {
  readonly target: Target;
  /** Such as `apply_payment` or `POST /v1/checkout/sessions`. */
  readonly name: string;
  /** Makes the call, with this fault. */
  readonly perform: (fault: Fault | null) => Promise<Answer>;
  /** Begins the call at a provider, and returns a function that ends it; absent for other targets. */
  readonly begin?: () => Promise<() => Promise<Answer>>;
}

/** How a function has ended: with a value, or with what it threw. */
export type RunOutcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: unknown };

/** Thrown into a dead function, so that the function does nothing more. */
class Died extends Error {
  override readonly name = 'Died';
}

interface PendingCall {
  readonly call: OutsideCall;
  /** Whether the provider has received the call, and has not yet answered. */
  readonly hasBegun: boolean;
  readonly resume: (answer: Answer) => void;
  readonly die: () => void;
}

/** One run of a function. */
export class Run {
  readonly startedMs: number;
  /** Null while the function runs. */
  outcome: RunOutcome | null = null;
  isDead = false;
  #nowMs: number;
  #pending: PendingCall | null = null;
  #notifyStop: () => void = () => undefined;

  private constructor(startedMs: number) {
    this.startedMs = startedMs;
    this.#nowMs = startedMs;
  }

  /** Starts the task, and lets it run to its first call. */
  static async begin(task: (run: Run) => Promise<unknown>, startedMs: number): Promise<Run> {
    const run = new Run(startedMs);
    const stop = run.#nextStop();
    task(run).then(
      (value) => run.#end({ ok: true, value }),
      (error: unknown) => run.#end({ ok: false, error }),
    );
    await stop;
    return run;
  }

  /** The call at which the function waits; null when it has ended. */
  get pending(): OutsideCall | null {
    return this.#pending?.call ?? null;
  }

  /** Whether the provider has received the pending call, and has not yet answered. */
  get hasBegun(): boolean {
    return this.#pending?.hasBegun ?? false;
  }

  /** The function's clock, which moves on only when an answer comes. */
  now = (): Date => new Date(this.#nowMs);

  /** Every call of the function to the outside (ports.ts) comes through here. */
  call = (call: OutsideCall): Promise<Answer> => {
    if (this.isDead) return Promise.reject(new Died());
    return new Promise((resume, reject) => {
      if (this.#pending !== null) throw new Error('a function makes two calls at once');
      this.#pending = { call, hasBegun: false, resume, die: () => reject(new Died()) };
      this.#notifyStop();
    });
  };

  /** Performs the pending call, and lets the function run to its next call or to its end. */
  async step(fault: Fault | null, nowMs: number): Promise<void> {
    const pending = this.#takePending();
    const answer = await pending.call.perform(fault);
    this.#nowMs = nowMs;
    const stop = this.#nextStop();
    pending.resume(answer);
    await stop;
  }

  /** Lets the pending call begin at the provider; the next step ends it. */
  async beginCall(): Promise<void> {
    const pending = this.#takePending();
    const { target, name, begin } = pending.call;
    if (!begin) throw new Error(`${name} cannot begin without its answer`);
    this.#pending = { ...pending, hasBegun: true, call: { target, name, perform: await begin() } };
  }

  /**
   * Ends the function at its pending call, as when the server is killed.
   *
   * @param callHappens whether the pending call takes effect; a call that has begun always does
   */
  async die(callHappens: boolean): Promise<void> {
    if (this.#pending === null) return;
    const pending = this.#takePending();
    if (callHappens || pending.hasBegun) await pending.call.perform(null);
    this.isDead = true;
    const stop = this.#nextStop();
    pending.die();
    await stop;
  }

  #takePending(): PendingCall {
    const pending = this.#pending;
    if (pending === null) throw new Error('a function that has ended makes no call');
    this.#pending = null;
    return pending;
  }

  /** Resolves when the function waits at a call, or has ended. */
  #nextStop(): Promise<void> {
    return new Promise((resolve) => {
      this.#notifyStop = resolve;
    });
  }

  #end(outcome: RunOutcome): void {
    this.outcome = outcome;
    this.#notifyStop();
  }
}
