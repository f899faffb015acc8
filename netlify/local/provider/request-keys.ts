/**
 * Requests that carry a key of the shop's take effect once: what is kept of the first serves the later
 * ones. While the first is under way, a second fails.
 */

/** @template K what is kept, with the time in milliseconds since 1970 */
export class RequestKeys<K extends { readonly at: number }> {
  readonly #kept: Record<string, K>;
  readonly #lifeMs: number;
  readonly #underWay = new Set<string>();

  constructor(kept: Record<string, K>, lifeMs: number) {
    this.#kept = kept;
    this.#lifeMs = lifeMs;
  }

  find(key: string): K | undefined {
    return this.#kept[key];
  }

  /**
   * @param inUse is thrown while another request with this key is under way
   * @param perform gets a function that keeps something for later requests
   */
  async run<T>(
    key: string,
    inUse: Error,
    perform: (keep: (kept: K) => void) => Promise<T>,
  ): Promise<T> {
    if (this.#underWay.has(key)) throw inUse;
    this.#underWay.add(key);
    try {
      return await perform((kept) => {
        this.#kept[key] = kept;
      });
    } finally {
      this.#underWay.delete(key);
    }
  }

  forgetOld(now: number): void {
    for (const [key, { at }] of Object.entries(this.#kept)) {
      if (now - at >= this.#lifeMs) delete this.#kept[key];
    }
  }
}
