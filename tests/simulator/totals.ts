/** Sums over many schedules, and the lines that are printed of them. */
import type { Outcome } from './schedule.ts';
import type { Violation } from './verdicts.ts';

/** An outcome as it comes from another process. */
export type Told = Omit<Outcome, 'faults'> & { readonly faults: readonly [string, number][] };

export interface Failing {
  readonly seed: number;
  readonly violations: readonly Violation[];
}

export class Totals {
  schedules = 0;
  operations = 0;
  states = 0;
  changes = 0;
  rolledBack = 0;
  readonly faults = new Map<string, number>();
  readonly failing: Failing[] = [];
  #emptied: { readonly seed: number; readonly ms: number }[] = [];

  add({ seed, operations, states, changes, rolledBack, faults, violations, emptyMs }: Told): void {
    this.schedules += 1;
    this.operations += operations;
    this.states += states;
    this.changes += changes;
    this.rolledBack += rolledBack;
    for (const [kind, count] of faults) this.faults.set(kind, (this.faults.get(kind) ?? 0) + count);
    if (violations.length > 0) this.failing.push({ seed, violations });
    if (emptyMs !== null) this.#emptied.push({ seed, ms: emptyMs });
  }

  /** Simulated time within which outboxes were empty after healing, for this share of schedules. */
  emptyWithin(share: number): { readonly seed: number; readonly ms: number } {
    const sorted = this.#emptied.toSorted((a, b) => a.ms - b.ms);
    const at = Math.min(sorted.length - 1, Math.floor(share * sorted.length));
    return sorted[at] ?? { seed: 0, ms: 0 };
  }

  lines(): string[] {
    const faults = [...this.faults].sort(([, a], [, b]) => b - a);
    const total = faults.reduce((sum, [, count]) => sum + count, 0);
    const empty = [0.5, 0.99, 1].map((share) => {
      const { ms, seed } = this.emptyWithin(share);
      return `${Math.round(ms)} ms (seed ${seed})`;
    });
    return [
      `schedules ${this.schedules}, operations ${this.operations}, changes ${this.changes}, states ${this.states}, faults ${total}, violations ${this.failing.length}`,
      `taken away unsent by storage rollbacks: ${this.rolledBack} changes`,
      `outboxes empty after the network healed (${this.#emptied.length} schedules): p50 ${empty[0]}, p99 ${empty[1]}, max ${empty[2]}`,
      ...faults.map(([kind, count]) => `  ${String(count).padStart(8)}  ${kind}`),
      ...this.failing.map(failureLine),
    ];
  }
}

export function failureLine({ seed, violations }: Failing): string {
  const [first] = violations;
  const text = `invariant ${first?.invariant}: ${first?.text}`;
  return `seed ${seed} breaks ${text}\n  alone: npm run soak -- sync --seed ${seed}`;
}
