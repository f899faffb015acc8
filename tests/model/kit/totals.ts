/** Sums up many schedules, and formats the sums for the console. */
import { addCount, type Violation } from './verdicts.ts';

/** The result of one schedule. Plain data, so that it can be sent from one process to another. */
export interface Outcome {
  readonly seed: number;
  readonly counts: Counts;
  readonly faults: Counts;
  /** Values whose percentiles are printed, such as times in milliseconds. */
  readonly measures: readonly (readonly [name: string, values: readonly number[]])[];
  readonly violations: readonly Violation[];
}

/** How often, by name. */
type Counts = readonly (readonly [name: string, count: number])[];

/** A schedule that violates invariants. */
export interface Failing {
  readonly seed: number;
  readonly violations: readonly Violation[];
}

/** A value of a measure, and the schedule that it is from. */
interface Measured {
  readonly seed: number;
  readonly value: number;
}

export class Totals {
  schedules = 0;
  readonly counts = new Map<string, number>();
  readonly faults = new Map<string, number>();
  readonly failing: Failing[] = [];
  readonly #measures = new Map<string, Measured[]>();

  add({ seed, counts, faults, measures, violations }: Outcome): void {
    this.schedules += 1;
    for (const [name, count] of counts) addCount(this.counts, name, count);
    for (const [kind, count] of faults) addCount(this.faults, kind, count);
    for (const [name, values] of measures) {
      const measured = this.#measures.get(name) ?? [];
      for (const value of values) measured.push({ seed, value });
      this.#measures.set(name, measured);
    }
    if (violations.length > 0) this.failing.push({ seed, violations });
  }

  /** The value of a measure that this share (0 to 1) of its values does not exceed; 0 without values. */
  percentile(name: string, share: number): Measured {
    const sorted = (this.#measures.get(name) ?? []).toSorted((a, b) => a.value - b.value);
    const index = Math.min(sorted.length - 1, Math.floor(share * sorted.length));
    return sorted[index] ?? { seed: 0, value: 0 };
  }

  /** The sums, for the console. */
  lines(): string[] {
    const counts = [...this.counts].map(([name, count]) => `, ${name} ${count}`);
    const faults = [...this.faults].sort(([, a], [, b]) => b - a);
    const total = faults.reduce((sum, [, count]) => sum + count, 0);
    return [
      `schedules ${this.schedules}${counts.join('')}, faults ${total}, violations ${this.failing.length}`,
      ...[...this.#measures].map(([name, { length }]) => this.#measureLine(name, length)),
      ...faults.map(([kind, count]) => `  ${String(count).padStart(8)}  ${kind}`),
    ];
  }

  #measureLine(name: string, length: number): string {
    const [p50, p99, max] = [0.5, 0.99, 1].map((share) => {
      const { value, seed } = this.percentile(name, share);
      return `${Math.round(value)} (seed ${seed})`;
    });
    return `${name}: ${length}; p50 ${p50}, p99 ${p99}, max ${max}`;
  }
}

/** The first violation of a schedule, and the command of `npm run soak` that replays it. */
export function failureLine(task: string, { seed, violations: [first] }: Failing): string {
  const text = `seed ${seed} breaks ${first?.invariant}: ${first?.text}`;
  return `${text}\n  alone: npm run soak -- ${task} --seed ${seed}`;
}
