/** Sums over many schedules, and the lines that are printed of them. */
import type { Outcome } from './schedule.ts';
import type { Violation } from './verdicts.ts';

/** An outcome as it comes from another process. */
export type Told = Omit<Outcome, 'faults'> & { readonly faults: readonly [string, number][] };

export interface Failing {
  readonly seed: number;
  readonly violations: readonly Violation[];
}

interface Timed {
  readonly seed: number;
  readonly ms: number;
}

/** So many schedules meet every fault often enough to be counted on. */
const ENOUGH = 2000;
/** Each kind of fault happens at least once in so many schedules. */
const ONE_IN = 50;

export class Totals {
  schedules = 0;
  readonly faults = new Map<string, number>();
  readonly failing: Failing[] = [];
  #sums = new Map<string, number>();
  #woken: Timed[] = [];
  #unwoken: Timed[] = [];
  #worst: Timed = { seed: 0, ms: 0 };

  add({ seed, faults, violations, emptied, worstMinute, ...counts }: Told): void {
    this.schedules += 1;
    for (const [name, count] of Object.entries(counts)) sum(this.#sums, name, count);
    for (const [kind, count] of faults) sum(this.faults, kind, count);
    if (violations.length > 0) this.failing.push({ seed, violations });
    const timed = (times: readonly number[]) => times.map((ms) => ({ seed, ms }));
    this.#woken.push(...timed(emptied.woken));
    this.#unwoken.push(...timed(emptied.unwoken));
    if (worstMinute > this.#worst.ms) this.#worst = { seed, ms: worstMinute };
  }

  /** Simulated time within which this share of the outboxes were empty after the pages were woken. */
  emptyWithin(share: number): Timed {
    return within(this.#woken, share);
  }

  /** The same where nothing told the pages that all is well again. */
  emptyUnwokenWithin(share: number): Timed {
    return within(this.#unwoken, share);
  }

  /** What so many schedules should show and these do not, in sentences. */
  shortcomings(): string[] {
    if (this.schedules < ENOUGH) return [];
    const rare = [...this.faults].filter(([, count]) => count < this.schedules / ONE_IN);
    const slow = [
      { what: 'woken', limitMs: 10_000, ...this.emptyWithin(0.99) },
      { what: 'not woken', limitMs: 75_000, ...this.emptyUnwokenWithin(0.99) },
    ].filter(({ ms, limitMs }) => ms > limitMs);
    return [
      ...rare.map(([kind, count]) => `happened only ${count} times: ${kind}`),
      ...slow.map(
        ({ what, ms, seed }) => `slow to empty, ${what}: ${Math.round(ms)} ms (seed ${seed})`,
      ),
    ];
  }

  lines(): string[] {
    const faults = [...this.faults].sort(([, a], [, b]) => b - a);
    const total = faults.reduce((sofar, [, count]) => sofar + count, 0);
    const of = (name: string) => this.#sums.get(name) ?? 0;
    return [
      `schedules ${this.schedules}, operations ${of('operations')}, changes ${of('changes')}, states ${of('states')}, faults ${total}, violations ${this.failing.length}`,
      `taken away unsent by storage rollbacks and ends of tabs in memory: ${of('takenAway')} changes; acknowledged and lost by restores: ${of('lostByRestores')}`,
      `most failing requests of one phone in a minute: ${this.#worst.ms} (seed ${this.#worst.seed}); errors in consoles: ${of('pageErrors')}`,
      `outboxes empty after a wake-up: ${timesOf(this.#woken)}`,
      `outboxes empty after healing without a wake-up: ${timesOf(this.#unwoken)}`,
      ...faults.map(([kind, count]) => `  ${String(count).padStart(8)}  ${kind}`),
      ...this.failing.map(failureLine),
    ];
  }
}

function sum(sums: Map<string, number>, name: string, count: number): void {
  sums.set(name, (sums.get(name) ?? 0) + count);
}

function within(times: readonly Timed[], share: number): Timed {
  const sorted = times.toSorted((a, b) => a.ms - b.ms);
  const at = Math.min(sorted.length - 1, Math.floor(share * sorted.length));
  return sorted[at] ?? { seed: 0, ms: 0 };
}

function timesOf(times: readonly Timed[]): string {
  const [half, most, all] = [0.5, 0.99, 1].map((share) => {
    const { ms, seed } = within(times, share);
    return `${Math.round(ms)} ms (seed ${seed})`;
  });
  return `${times.length}; p50 ${half}, p99 ${most}, max ${all}`;
}

export function failureLine({ seed, violations }: Failing): string {
  const [first] = violations;
  const text = `invariant ${first?.invariant}: ${first?.text}`;
  return `seed ${seed} breaks ${text}\n  alone: npm run soak -- sync --seed ${seed}`;
}
