/** Polling: runs a task again after a pause, with a backoff after failures, and in one tab at a time. */
import { backoffMs, type Timing } from '../domain/timing.ts';
import { withLock } from './lock.ts';
import { pageTiming } from './page-timing.ts';

export interface Poll {
  /** Runs the task now, or once more after the run under way. */
  readonly wake: () => void;
  readonly stop: () => void;
}

/**
 * Runs a task at once, on `wake`, and after the pause that its last run returned; one run at a time.
 * `wake` ends a pause.
 *
 * @param task `isWoken`: whether `wake` was called since the last run began (true for the first run). Returns
 *   the pause in milliseconds: `Infinity` to wait for `wake`, null to never run again. A task that rejects never
 *   runs again
 */
export function poll(
  task: (signal: AbortSignal, isWoken: boolean) => Promise<number | null>,
  timing: Pick<Timing, 'setTimeout' | 'clearTimeout'>,
): Poll {
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: number | null = null;
  let isRunning = false;
  let isWoken = false;

  async function run(): Promise<void> {
    isRunning = true;
    let pauseMs: number | null;
    do {
      const wasWoken = isWoken;
      isWoken = false;
      pauseMs = await task(signal, wasWoken);
    } while (isWoken && pauseMs !== null && !signal.aborted);
    isRunning = false;
    if (pauseMs === null) stopping.abort();
    if (signal.aborted || pauseMs === null || pauseMs === Infinity) return;
    timer = timing.setTimeout(start, pauseMs);
  }

  function start(): void {
    if (timer !== null) timing.clearTimeout(timer);
    timer = null;
    if (!isRunning && !signal.aborted) void run();
  }

  function wake(): void {
    isWoken = true;
    start();
  }

  wake();
  return {
    wake,
    stop() {
      stopping.abort();
      if (timer !== null) timing.clearTimeout(timer);
    },
  };
}

const AFTER_FAILURE = { firstMs: 1000, mostMs: 60_000 };

/** After this time a tab runs without the lock, which a frozen tab may hold for ever. */
const LOCK_WAIT_MS = 8000;

export type PollOutcome = 'done' | 'failed';

/** Polls every `everyMs`. After failed runs the pauses are those of `backoffMs`. @param task as in `poll` */
export function pollEvery(
  task: (signal: AbortSignal, isWoken: boolean) => Promise<PollOutcome>,
  everyMs: number,
  timing: Timing,
): Poll {
  let failures = 0;
  return poll(async (signal, isWoken) => {
    const outcome = await task(signal, isWoken);
    failures = outcome === 'failed' ? failures + 1 : 0;
    return failures === 0 ? everyMs : backoffMs(failures, AFTER_FAILURE, timing.random);
  }, timing);
}

interface TabPollOptions {
  /** Name of the Web Lock under which one tab at a time runs. */
  readonly lock: string;
  readonly everyMs: number;
  /** Mends the storage after a run has failed with this error. The run is then tried once more. */
  readonly onStorageError: (error: unknown) => Promise<void>;
}

/** `pollEvery` for all tabs of a device together. */
export function pollInOneTab(
  { lock, everyMs, onStorageError }: TabPollOptions,
  task: (signal: AbortSignal, isWoken: boolean) => Promise<PollOutcome>,
): Poll {
  const underLock = async (signal: AbortSignal, isWoken: boolean): Promise<PollOutcome> => {
    const request = { name: lock, waitMs: LOCK_WAIT_MS, signal };
    for (let tries = 0; tries < 2 && !signal.aborted; tries += 1) {
      try {
        return await withLock(navigator.locks, request, () => task(signal, isWoken));
      } catch (error) {
        if (!signal.aborted) await onStorageError(error);
      }
    }
    return 'failed';
  };
  return pollEvery(underLock, everyMs, pageTiming);
}

/** Runs at once at the first call; further calls within `everyMs` run it once more at the end. */
export function throttle(
  run: () => void,
  everyMs: number,
  { setTimeout, clearTimeout }: Pick<Timing, 'setTimeout' | 'clearTimeout'>,
): { readonly call: () => void; readonly stop: () => void } {
  let timer: number | null = null;
  let isCalled = false;

  function begin(): void {
    isCalled = false;
    timer = setTimeout(() => {
      timer = null;
      if (isCalled) begin();
    }, everyMs);
    run();
  }

  return {
    call() {
      if (timer === null) begin();
      else isCalled = true;
    },
    stop() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
