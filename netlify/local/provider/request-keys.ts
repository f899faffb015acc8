/**
 * Idempotency keys. The emulator keeps something of the first request with a key, and answers later requests
 * with that key from it. A request fails while another one with its key is under way.
 *
 * @template K what is kept of a request, with the request's time in milliseconds since 1970
 */
export class RequestKeys<K extends { readonly at: number }> {
  readonly #kept = new Map<string, K>();
  readonly #underWay = new Set<string>();
  readonly #lifeMs: number;

  constructor(lifeMs: number) {
    this.#lifeMs = lifeMs;
  }

  /** What was kept of a request with this key; undefined when there was none. */
  find(key: string): K | undefined {
    return this.#kept.get(key);
  }

  /**
   * Runs `perform` unless another request with this key is under way.
   *
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
      return await perform((kept) => this.#kept.set(key, kept));
    } finally {
      this.#underWay.delete(key);
    }
  }

  forgetOld(now: number): void {
    for (const [key, { at }] of this.#kept) {
      if (now - at >= this.#lifeMs) this.#kept.delete(key);
    }
  }
}
