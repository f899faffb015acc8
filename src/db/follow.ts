import { liveQuery, type Subscription } from 'dexie';
import { storagePauseMs } from './storage-failure.ts';

/**
 * Calls `next` with the result of a query, and again whenever the result changes. A failed query is
 * started again after `recover` and a pause. Returns a function that stops this.
 */
export function followQuery<T>(
  query: () => Promise<T>,
  next: (result: T) => void,
  recover: (error: unknown) => void | Promise<void>,
): () => void {
  let following: Subscription | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isStopped = false;

  /**
   * Wraps errors, because `liveQuery` swallows `AbortError` and `DatabaseClosedError`. `liveQuery`
   * must get this asynchronous function itself, or it does not notice what the query reads.
   */
  async function queryWithWrappedError(): Promise<T> {
    try {
      return await query();
    } catch (cause) {
      throw new Error('the database could not be read', { cause });
    }
  }

  function start(): void {
    following = liveQuery(queryWithWrappedError).subscribe({
      next: (result) => {
        failures = 0;
        next(result);
      },
      error: (error) => void startAgain(error),
    });
  }

  /** Unsubscribes first, because a failed query may still react to changes and would then run twice. */
  async function startAgain(error: unknown): Promise<void> {
    following?.unsubscribe();
    try {
      await recover(error);
    } catch (failure) {
      reportError(failure);
    }
    if (isStopped) return;
    failures += 1;
    timer = setTimeout(start, storagePauseMs(failures));
  }

  start();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    following?.unsubscribe();
  };
}
