/** Sums over many schedules, and the lines that are printed of them. */
import type { Explored } from './explore.ts';
import type { Outcome } from './schedule.ts';
import type { Violation } from './verdicts.ts';

export interface Failing {
  readonly seed: number;
  readonly violations: readonly Violation[];
}

export class Totals {
  schedules = 0;
  actions = 0;
  calls = 0;
  readonly failing: Failing[] = [];
  readonly #faults = new Map<string, number>();
  readonly #ends = new Map<string, number>();

  add({ seed, actions, calls, faults, ends, violations }: Outcome): void {
    this.schedules += 1;
    this.actions += actions;
    this.calls += calls;
    for (const [kind, count] of faults) addTo(this.#faults, kind, count);
    for (const [state, count] of ends) addTo(this.#ends, state, count);
    if (violations.length > 0) this.failing.push({ seed, violations });
  }

  ended(state: string): number {
    return this.#ends.get(state) ?? 0;
  }

  lines(): string[] {
    const faults = [...this.#faults].sort(([, a], [, b]) => b - a);
    const total = faults.reduce((sum, [, count]) => sum + count, 0);
    const ends = [...this.#ends].sort(([, a], [, b]) => b - a);
    return [
      `schedules ${this.schedules}, actions ${this.actions}, calls ${this.calls}, faults ${total}, violations ${this.failing.length}`,
      `orders: ${ends.map(([state, count]) => `${count} ${state}`).join(', ')}`,
      ...faults.map(([kind, count]) => `  ${String(count).padStart(8)}  ${kind}`),
      ...this.failing.map(failureLine),
    ];
  }
}

function addTo(counts: Map<string, number>, name: string, more: number): void {
  counts.set(name, (counts.get(name) ?? 0) + more);
}

export function failureLine({ seed, violations: [first] }: Failing): string {
  const text = `seed ${seed} breaks ${first?.rule}: ${first?.text}`;
  return `${text}\n  alone: npm run soak -- orders --seed ${seed}`;
}

export function exploredLine({ scenario, depth, states, moves, ways, found }: Explored): string {
  const counts = `${depth} moves deep, ${states} states, ${moves} moves, ${ways} ways`;
  if (!found) return `${scenario}: ${counts}`;
  const { path, violation } = found;
  return `${scenario}: breaks ${violation.rule}: ${violation.text}\n  ${path.join('\n  ')}`;
}
