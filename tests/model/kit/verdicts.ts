/** What one schedule has come to: violations of the invariants, and counts. */
export interface Violation {
  readonly invariant: string | number;
  readonly text: string;
}

export class Verdicts<Invariant extends string | number> {
  readonly violations: Violation[] = [];
  readonly faults = new Map<string, number>();
  readonly counts = new Map<string, number>();
  readonly #log: ((line: string) => void) | undefined;

  /** @param log takes a readable account of everything that happens */
  constructor(log?: (line: string) => void) {
    this.#log = log;
  }

  break(invariant: Invariant, text: string): void {
    this.violations.push({ invariant, text });
    this.say(`VIOLATION of ${invariant}: ${text}`);
  }

  fault(kind: string): void {
    add(this.faults, kind, 1);
    this.say(`  fault: ${kind}`);
  }

  action(text: string): void {
    this.count('actions');
    this.say(text);
  }

  count(name: string): void {
    add(this.counts, name, 1);
  }

  say(text: string): void {
    this.#log?.(text);
  }
}

/** Adds to what is counted under a name. */
export function add(counts: Map<string, number>, name: string, more: number): void {
  counts.set(name, (counts.get(name) ?? 0) + more);
}
