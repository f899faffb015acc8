/**
 * The faults of one phone's storage. A fault profile says which steps fail, with which error and for how
 * long. A phone has one profile at a time. Before each step, indexed-db.ts asks whether the step fails.
 */
import type { Chance } from '../kit/chance.ts';
import type { SyncVerdicts } from './verdicts.ts';

/** A step of IndexedDB that can fail. `transaction` is the call that begins one. */
type Step = 'open' | 'transaction' | 'request' | 'commit';

interface FaultProfile {
  readonly step: Step;
  /** The name of the `DOMException`. */
  readonly error: string;
  /** Only steps that touch one of these stores fail; null for all. */
  readonly stores: readonly string[] | null;
  readonly writesOnly: boolean;
  /** How many more steps fail. */
  failuresLeft: number;
  readonly untilMs: number;
}

/** Names of the errors with which browsers end requests. */
const REQUEST_ERRORS = [
  'AbortError',
  'UnknownError',
  'QuotaExceededError',
  'InvalidStateError',
  'DataError',
  'TimeoutError',
];
/** Names of the errors with which browsers end commits; a full device is the most frequent. */
const COMMIT_ERRORS = ['QuotaExceededError', 'QuotaExceededError', 'UnknownError', 'AbortError'];

export class StorageFaults {
  #profile: FaultProfile | null = null;
  #now: () => number;
  #verdicts: SyncVerdicts;

  constructor(now: () => number, verdicts: SyncVerdicts) {
    this.#now = now;
    this.#verdicts = verdicts;
  }

  /** Whether the storage has no fault now. */
  get isGood(): boolean {
    this.#expire();
    return this.#profile === null;
  }

  /** Whether there is a fault, and only of the store of the catalogue. */
  get isOfCatalogue(): boolean {
    this.#expire();
    return this.#profile !== null && this.#profile.stores !== null;
  }

  /** Draws a fault that begins now. Returns a description for the log. */
  draw(chance: Chance): string {
    const lasting = chance.weighted([
      [4, 'once'],
      [4, 'for a while'],
      [2, 'for good'],
    ]);
    const [step, error] = chance.weighted<[Step, string]>([
      [5, ['request', chance.pick(REQUEST_ERRORS)]],
      [3, ['commit', chance.pick(COMMIT_ERRORS)]],
      [1.5, ['transaction', 'InvalidStateError']],
      [1, ['open', 'UnknownError']],
    ]);
    const isQuota = error === 'QuotaExceededError';
    const isCatalogueOnly = isQuota && chance.happens(step === 'commit' ? 0.8 : 0.5);
    const whileMs = chance.pick([200, 1000, 3000, 10_000, 20_000]);
    this.#profile = {
      step,
      error,
      stores: isCatalogueOnly ? ['chunks'] : null,
      // Opening a database is not a write.
      writesOnly: step !== 'open' && (isQuota || chance.happens(0.4)),
      failuresLeft: lasting === 'once' ? 1 : Infinity,
      untilMs: lasting === 'for good' ? Infinity : this.#now() + whileMs,
    };
    const what = isCatalogueOnly ? ' of the catalogue' : '';
    const steps = lasting === 'once' ? `the next ${step}` : `each ${step}`;
    return `${error} at ${steps}${what}, ${lasting}`;
  }

  /** For `forMs`, no database opens. */
  block(forMs: number): void {
    this.#profile = {
      step: 'open',
      error: 'UnknownError',
      stores: null,
      writesOnly: false,
      failuresLeft: Infinity,
      untilMs: this.#now() + forMs,
    };
  }

  end(): void {
    this.#profile = null;
  }

  /** The name of the error with which this step fails; null when it succeeds. Called once for each step. */
  errorOf(
    step: Step,
    { isWrite, stores }: { readonly isWrite: boolean; readonly stores: readonly string[] },
  ): string | null {
    this.#expire();
    const profile = this.#profile;
    if (!profile || profile.step !== step || (profile.writesOnly && !isWrite)) return null;
    if (profile.stores && !profile.stores.some((store) => stores.includes(store))) return null;
    profile.failuresLeft -= 1;
    const where = profile.stores ? `${step} of the catalogue` : step;
    this.#verdicts.fault(`storage ${where}: ${profile.error}`);
    this.#expire();
    return profile.error;
  }

  #expire(): void {
    const profile = this.#profile;
    if (profile && (profile.failuresLeft === 0 || this.#now() >= profile.untilMs)) {
      this.#profile = null;
    }
  }
}
