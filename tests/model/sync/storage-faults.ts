/**
 * How one phone's storage fails. A fault profile says where a request fails, with which error and
 * for how long; one is in force at a time. Connections ask before each step.
 */
import type { Chance } from '../kit/chance.ts';
import type { SyncVerdicts } from './verdicts.ts';

type Step = 'open' | 'transaction' | 'request' | 'commit';

interface FaultProfile {
  readonly step: Step;
  readonly error: string;
  /** Only writes to these stores; null for all. */
  readonly stores: readonly string[] | null;
  readonly writesOnly: boolean;
  /** How often it strikes; then it is over. */
  strikesLeft: number;
  readonly untilMs: number;
  /** How long it lasts, in words. */
  readonly lasting: string;
  /** It has not struck yet. */
  isFresh: boolean;
}

const REQUEST_ERRORS = [
  'AbortError',
  'UnknownError',
  'QuotaExceededError',
  'InvalidStateError',
  'DataError',
  'TimeoutError',
];
const COMMIT_ERRORS = ['QuotaExceededError', 'QuotaExceededError', 'UnknownError', 'AbortError'];

export class StorageFaults {
  /** When the storage last became good again. */
  goodSinceMs = 0;
  #profile: FaultProfile | null = null;
  #slowUntilMs = 0;
  #openMs = 0;
  #now: () => number;
  #verdicts: SyncVerdicts;

  constructor(now: () => number, verdicts: SyncVerdicts) {
    this.#now = now;
    this.#verdicts = verdicts;
  }

  get isGood(): boolean {
    this.#expire();
    return this.#profile === null && this.#now() >= this.#slowUntilMs;
  }

  /** Whether only the catalogue cannot be written. */
  get isOfCatalogue(): boolean {
    this.#expire();
    return this.#profile !== null && this.#profile.stores !== null;
  }

  /** Draws a fault; returns it in words. */
  begin(chance: Chance): string {
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
      writesOnly: isQuota || chance.happens(0.4),
      strikesLeft: lasting === 'once' ? 1 : Infinity,
      untilMs: lasting === 'for good' ? Infinity : this.#now() + whileMs,
      lasting,
      isFresh: true,
    };
    const what = isCatalogueOnly ? ' of the catalogue' : '';
    return `${error} at each ${step}${what}, ${lasting}`;
  }

  /** Databases open only after so long, for a while. */
  slowDown(openMs: number, forMs: number): void {
    this.#openMs = openMs;
    this.#slowUntilMs = this.#now() + forMs;
  }

  end(): void {
    if (!this.isGood) this.goodSinceMs = this.#now();
    this.#profile = null;
    this.#slowUntilMs = 0;
  }

  /** How long a database takes to open. */
  get openMs(): number {
    if (this.#now() >= this.#slowUntilMs) return 0;
    this.#verdicts.fault('storage slow to open');
    return this.#openMs;
  }

  /** The name of the error that this step fails with; null when it does not. */
  strike(step: Step, isWrite: boolean, stores: readonly string[]): string | null {
    this.#expire();
    const profile = this.#profile;
    if (!profile || profile.step !== step || (profile.writesOnly && !isWrite)) return null;
    if (profile.stores && !profile.stores.some((store) => stores.includes(store))) return null;
    profile.strikesLeft -= 1;
    const where = profile.stores ? `${step} of the catalogue` : step;
    this.#verdicts.fault(`storage ${where}: ${profile.error}`);
    if (profile.isFresh) this.#verdicts.fault(`storage fails ${profile.lasting}`);
    profile.isFresh = false;
    this.#expire();
    return profile.error;
  }

  #expire(): void {
    const profile = this.#profile;
    if (!profile || (profile.strikesLeft > 0 && this.#now() < profile.untilMs)) return;
    this.#profile = null;
    this.goodSinceMs = Math.min(this.#now(), profile.untilMs);
  }
}
