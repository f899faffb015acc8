/**
 * A function that runs, from one call to the outside to the next. At each it stands still until the
 * schedule says how the call ends. So functions can be interleaved in every way, and each can
 * die between any two of its effects.
 *
 * What it heard is plain data: the same function that hears the same things again gets to the same
 * place, which is how a run is put back to where it was.
 */

/** What came of a call to the outside. `away`: no answer, whatever has happened there. */
export type Heard =
  | { readonly kind: 'value'; readonly value: unknown }
  | {
      readonly kind: 'refused';
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
  | { readonly kind: 'away' };

/**
 * What goes wrong with a call.
 *
 * - `lost before`, `lost after`      no answer, before or after it took effect
 * - `broken before`, `broken after`  the provider answers 500
 * - `turned away`                    the provider answers 503 at the door
 * - `expired`                        the token has just ended
 */
export type Fault =
  | 'lost before'
  | 'lost after'
  | 'broken before'
  | 'broken after'
  | 'turned away'
  | 'expired';

export type Place = 'auth' | 'database' | 'stripe' | 'paypal' | 'pause';

export interface Effect {
  readonly to: Place;
  /** Such as `apply_payment` or `POST /v1/checkout/sessions`. */
  readonly what: string;
  readonly perform: (fault: Fault | null) => Promise<Heard>;
  /** Begins it, and returns what ends it; meanwhile others find it under way. */
  readonly hold?: () => Promise<() => Promise<Heard>>;
}

export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: unknown };

/** Thrown into a function that is dead, so that it does nothing more. */
class Died extends Error {
  override readonly name = 'Died';
}

interface Waiting {
  readonly effect: Effect;
  readonly isHeld: boolean;
  readonly go: (heard: Heard) => void;
  readonly die: () => void;
}

export class Run {
  readonly bornMs: number;
  /** With the time at which it was heard. */
  readonly heard: { readonly atMs: number; readonly heard: Heard }[];
  outcome: Outcome | null = null;
  isDead = false;
  #known = 0;
  #nowMs: number;
  #waiting: Waiting | null = null;
  #stopped: () => void = () => undefined;

  private constructor(bornMs: number, heard: Run['heard']) {
    this.bornMs = bornMs;
    this.#nowMs = bornMs;
    this.heard = heard;
  }

  /** Starts it, and lets it run to the first call of which it has heard nothing. */
  static async begin(
    work: (run: Run) => Promise<unknown>,
    bornMs: number,
    heard: Run['heard'] = [],
  ): Promise<Run> {
    const run = new Run(bornMs, heard);
    const stop = run.#nextStop();
    work(run).then(
      (value) => run.#end({ ok: true, value }),
      (error: unknown) => run.#end({ ok: false, error }),
    );
    await stop;
    return run;
  }

  /** The call at which it stands; null when it is over. */
  get pending(): Effect | null {
    return this.#waiting?.effect ?? null;
  }

  get isHeld(): boolean {
    return this.#waiting?.isHeld ?? false;
  }

  /** Of the function itself: it looks at its clock between calls only. */
  now = (): Date => new Date(this.#nowMs);

  /** Called by the fake ports. */
  at = (effect: Effect): Promise<Heard> => {
    if (this.isDead) return Promise.reject(new Died());
    const known = this.heard[this.#known];
    if (known !== undefined) {
      this.#known += 1;
      this.#nowMs = known.atMs;
      return Promise.resolve(known.heard);
    }
    return new Promise((go, failed) => {
      if (this.#waiting !== null) throw new Error('a function makes two calls at once');
      this.#waiting = { effect, isHeld: false, go, die: () => failed(new Died()) };
      this.#stopped();
    });
  };

  /** Lets its call happen, and runs it to the next one. */
  async step(fault: Fault | null, nowMs: number): Promise<void> {
    const waiting = this.#take();
    const heard = await waiting.effect.perform(fault);
    this.heard.push({ atMs: nowMs, heard });
    this.#known += 1;
    this.#nowMs = nowMs;
    const stop = this.#nextStop();
    waiting.go(heard);
    await stop;
  }

  /** Lets its call begin at the provider and not end. */
  async hold(): Promise<void> {
    const waiting = this.#take();
    const { effect } = waiting;
    if (!effect.hold) throw new Error(`${effect.what} cannot be held`);
    const end = await effect.hold();
    this.#waiting = {
      ...waiting,
      isHeld: true,
      effect: { to: effect.to, what: effect.what, perform: end },
    };
  }

  /** @param lands whether its call still happens; one that has begun does */
  async die(lands: boolean): Promise<void> {
    const waiting = this.#waiting;
    if (waiting !== null && (lands || waiting.isHeld)) await waiting.effect.perform(null);
    await this.abandon();
  }

  /** Ends it without a trace. */
  async abandon(): Promise<void> {
    this.isDead = true;
    const waiting = this.#waiting;
    if (waiting === null) return;
    this.#waiting = null;
    const stop = this.#nextStop();
    waiting.die();
    await stop;
  }

  #take(): Waiting {
    const waiting = this.#waiting;
    if (waiting === null) throw new Error('a function that is over makes no call');
    this.#waiting = null;
    return waiting;
  }

  #nextStop(): Promise<void> {
    return new Promise((stopped) => {
      this.#stopped = stopped;
    });
  }

  #end(outcome: Outcome): void {
    this.outcome = outcome;
    this.#stopped();
  }
}
