/** What a schedule has come to: violations of the six invariants, and counts. */
export type Invariant = 1 | 2 | 3 | 4 | 5 | 6;

export interface Violation {
  readonly invariant: Invariant;
  readonly text: string;
  readonly atMs: number;
}

export class Verdicts {
  readonly violations: Violation[] = [];
  readonly faults = new Map<string, number>();
  operations = 0;
  states = 0;
  #now: () => number;
  #log: ((line: string) => void) | null;

  /** @param log takes a readable account of everything that happens; null for none */
  constructor(now: () => number, log: ((line: string) => void) | null) {
    this.#now = now;
    this.#log = log;
  }

  break(invariant: Invariant, text: string): void {
    this.violations.push({ invariant, text, atMs: this.#now() });
    this.say(`VIOLATION of ${invariant}: ${text}`);
  }

  fault(kind: string): void {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1);
    this.say(`  fault: ${kind}`);
  }

  operation(text: string): void {
    this.operations += 1;
    this.say(text);
  }

  say(text: string): void {
    this.#log?.(`${(this.#now() / 1000).toFixed(3).padStart(9)} s  ${text}`);
  }
}
