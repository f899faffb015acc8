import { liveQuery, type Subscription } from 'dexie';
import { connection } from './connection.ts';
import type { WeftDatabase } from './database.ts';
import type { Store } from '../browser/store.ts';

const FIRST_PAUSE_MS = 1000;
const LAST_PAUSE_MS = 60_000;

/**
 * Calls back with what a query over the database finds, and again whenever that changes. One that
 * failed at its first time would find nothing any more: it is asked again after a pause. Returns what
 * ends it.
 *
 * @param recover hears why it failed; what it returns is waited for
 */
export function followQuery<T>(
  query: () => Promise<T>,
  next: (found: T) => void,
  recover: (error: unknown) => void | Promise<void>,
): () => void {
  let following: Subscription | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let isOver = false;

  /**
   * `liveQuery` says nothing of an `AbortError` or a `DatabaseClosedError`; as a cause it does. It
   * sees what an asynchronous function reads only if that is the one that it is given.
   */
  async function tellingQuery(): Promise<T> {
    try {
      return await query();
    } catch (cause) {
      throw new Error('the database could not be read', { cause });
    }
  }

  function start(): void {
    following = liveQuery(tellingQuery).subscribe({
      next: (found) => {
        pauseMs = FIRST_PAUSE_MS;
        next(found);
      },
      error: (error) => void startAgain(error),
    });
  }

  /** One that failed may still look where it looked before: it is ended, and not asked twice. */
  async function startAgain(error: unknown): Promise<void> {
    following?.unsubscribe();
    try {
      await recover(error);
    } catch (failure) {
      reportError(failure);
    }
    if (isOver) return;
    timer = setTimeout(start, pauseMs);
    pauseMs = Math.min(LAST_PAUSE_MS, 2 * pauseMs);
  }

  start();
  return () => {
    isOver = true;
    clearTimeout(timer);
    following?.unsubscribe();
  };
}

/**
 * Keeps a store equal to a query over the open database, and over the one that takes over from it;
 * `undefined` changes nothing. Resolves when it was read for the first time.
 *
 * @param onStart is given what begins the query afresh
 */
export function follow<T>(
  read: (db: WeftDatabase) => Promise<T | undefined>,
  { set }: Pick<Store<T>, 'set'>,
  onStart: (restart: () => void) => void = () => undefined,
): Promise<void> {
  return new Promise((resolve) => {
    let stop: (() => void) | null = null;
    const start = () => {
      stop?.();
      stop = followQuery(
        () => read(connection.db),
        (found) => {
          if (found !== undefined) set(found);
          resolve();
        },
        (error) => connection.recoverFrom(error),
      );
    };
    connection.subscribe(start);
    onStart(start);
    start();
  });
}
