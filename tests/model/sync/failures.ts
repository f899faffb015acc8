/** Oracle: one phone, all its tabs together, makes at most so many failing requests a minute. */
import type { Environment } from './environment.ts';

const MOST_A_MINUTE = 20;

export class Failures {
  /** The most in any minute so far. */
  worst = 0;
  #environment: Environment;
  #phone: string;
  #times: number[] = [];
  #kinds: string[] = [];

  constructor(environment: Environment, phone: string) {
    this.#environment = environment;
    this.#phone = phone;
  }

  note(kind: string): void {
    const { clock, verdicts } = this.#environment;
    this.#times.push(clock.nowMs);
    this.#kinds.push(kind);
    while ((this.#times[0] ?? 0) < clock.nowMs - 60_000) {
      this.#times.shift();
      this.#kinds.shift();
    }
    const count = this.#times.length;
    this.worst = Math.max(this.worst, count);
    if (count !== MOST_A_MINUTE + 1) return;
    const counts = Map.groupBy(this.#kinds, (each) => each);
    const text = [...counts].map(([each, { length }]) => `${length} ${each}`).join(', ');
    verdicts.break(8, `${this.#phone} makes ${count} failing requests in a minute: ${text}`);
  }
}
