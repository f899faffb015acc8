/**
 * Oracle of invariant 8: a shop that does not answer gets no storm of requests from all tabs of a phone
 * together, not counting the logins that users press.
 */
import type { Environment } from './environment.ts';

/** Each tap and each return of the network may cause a failing request; a loop without a pause makes thousands. */
const MAX_A_MINUTE = 150;
const MINUTE_MS = 60_000;

export class FailedRequests {
  #environment: Environment;
  #phone: string;
  #times: number[] = [];
  #kinds: string[] = [];

  constructor(environment: Environment, phone: string) {
    this.#environment = environment;
    this.#phone = phone;
  }

  /** Counts a failed request. @param kind what failed, for the text of a violation */
  add(kind: string): void {
    const { clock, verdicts } = this.#environment;
    this.#times.push(clock.nowMs);
    this.#kinds.push(kind);
    while ((this.#times[0] ?? 0) < clock.nowMs - MINUTE_MS) {
      this.#times.shift();
      this.#kinds.shift();
    }
    const count = this.#times.length;
    // Reports an excess once, not again for each further request.
    if (count !== MAX_A_MINUTE + 1) return;
    const groups = Map.groupBy(this.#kinds, (failedKind) => failedKind);
    const text = [...groups].map(([name, { length }]) => `${length} ${name}`).join(', ');
    verdicts.break(8, `${this.#phone} makes ${count} failing requests in a minute: ${text}`);
  }
}
