/** A violation of an invariant, with a sentence that says what was wrong. */
export interface Violation {
  readonly invariant: string | number;
  readonly text: string;
}

/** Collects what one schedule does: violations of invariants, faults that were injected, and counts. */
export class Verdicts<Invariant extends string | number> {
  readonly violations: Violation[] = [];
  /** How often each kind of fault was injected. */
  readonly faults = new Map<string, number>();
  readonly counts = new Map<string, number>();
  readonly #log: ((line: string) => void) | undefined;

  /** @param log takes a readable account of everything that happens */
  constructor(log?: (line: string) => void) {
    this.#log = log;
  }

  /** Records a violation. */
  break(invariant: Invariant, text: string): void {
    this.violations.push({ invariant, text });
    this.say(`VIOLATION of ${invariant}: ${text}`);
  }

  /** Counts and logs an injected fault. */
  fault(kind: string): void {
    addCount(this.faults, kind, 1);
    this.say(`  fault: ${kind}`);
  }

  /** Counts and logs an action of the schedule. */
  action(text: string): void {
    this.count('actions');
    this.say(text);
  }

  count(name: string): void {
    addCount(this.counts, name, 1);
  }

  /** Writes a line to the log. */
  say(text: string): void {
    this.#log?.(text);
  }
}

export function addCount(counts: Map<string, number>, name: string, more: number): void {
  counts.set(name, (counts.get(name) ?? 0) + more);
}
