/**
 * Runs tasks one after the other, in the order they came.
 *
 * PGlite is one database session and the library's driver for it does not take turns: two requests
 * at the same time share one transaction, and with it one role (seen in version 0.10: an anonymous
 * request and a privileged one failed each other). Each request is therefore served whole before
 * the next begins.
 */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(task);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
