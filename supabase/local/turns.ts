/**
 * Runs tasks one after the other, in the order they came.
 *
 * PGlite has one database session, and the driver of `@supabase/lite` 0.10 does not queue requests. Two
 * simultaneous requests would share a transaction and its role, and an anonymous request would make a
 * privileged one fail. So each request ends before the next begins.
 */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(task);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
