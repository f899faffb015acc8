export interface WindowLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** Counts the requests of each sender in a sliding window of time. */
export class SlidingWindow {
  readonly #times = new Map<string, number[]>();
  readonly #now: () => number;

  /** @param now in milliseconds since 1970 */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * Counts a request and returns null, if the limit allows the request. Otherwise counts nothing and returns
   * the seconds to wait.
   */
  take(sender: string, { requests, seconds }: WindowLimit): number | null {
    const now = this.#now();
    const since = now - seconds * 1000;
    const times = (this.#times.get(sender) ?? []).filter((time) => time > since);
    const [oldest = now] = times;
    const isFull = times.length >= requests;
    if (!isFull) times.push(now);
    this.#times.set(sender, times);
    return isFull ? Math.max(1, Math.ceil((oldest - since) / 1000)) : null;
  }
}
