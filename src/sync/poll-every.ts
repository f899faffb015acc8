import { withLock } from '../browser/lock.ts';
import { pageTiming } from '../browser/page-timing.ts';
import { type Poll, poll } from '../browser/poll.ts';
import { ASK_AGAIN_MS } from '../domain/failure.ts';
import { backoffMs, type Timing } from '../domain/timing.ts';

const FIRST_PAUSE_MS = 1000;

/** After this time a tab runs without the lock, which a frozen tab may hold for ever. */
const LOCK_WAIT_MS = 8000;

/** Result of a run. `no-room`: it did not begin, because of the `FailureBudget`. */
export type PollOutcome = 'done' | 'failed' | 'no-room';

/**
 * Polls every `everyMs`, and after a run that failed with a backoff; see `backoffMs`.
 *
 * @param task `isWoken`: whether `wake` was called since its last run that began
 */
export function pollEvery(
  task: (signal: AbortSignal, isWoken: boolean) => Promise<PollOutcome>,
  everyMs: number,
  timing: Timing,
): Poll {
  let failures = 0;
  let isWokenStill = false;
  return poll(async (signal, isWoken) => {
    const wasWoken = isWoken || isWokenStill;
    const outcome = await task(signal, wasWoken);
    isWokenStill = outcome === 'no-room' && wasWoken;
    if (outcome === 'no-room') return ASK_AGAIN_MS;
    failures = outcome === 'failed' ? failures + 1 : 0;
    return failures === 0 ? everyMs : backoffMs(failures, FIRST_PAUSE_MS, timing.random);
  }, timing);
}

interface TabPollOptions {
  /** Name of the Web Lock under which one tab at a time runs. */
  readonly lock: string;
  readonly everyMs: number;
  /** Called with the error of a run: the database could not be read or written. */
  readonly onStorageError: (error: unknown) => void;
}

/** `pollEvery` for all tabs of a device together. */
export function pollInOneTab(
  { lock, everyMs, onStorageError }: TabPollOptions,
  task: (signal: AbortSignal, isWoken: boolean) => Promise<PollOutcome>,
): Poll {
  const attempt = async (signal: AbortSignal, isWoken: boolean): Promise<PollOutcome> => {
    const request = { name: lock, waitMs: LOCK_WAIT_MS, signal };
    try {
      return await withLock(navigator.locks, request, () => task(signal, isWoken));
    } catch (error) {
      if (!signal.aborted) onStorageError(error);
      return 'failed';
    }
  };
  return pollEvery(attempt, everyMs, pageTiming);
}
