import { type Poll, poll } from '../browser/poll.ts';
import { ASK_AGAIN_MS } from '../domain/failure.ts';
import { backoffMs, type Timing } from '../domain/timing.ts';

const FIRST_PAUSE_MS = 1000;

/** What a run came to; `no-room`: it has not begun, see `FailureBudget`. */
export type PollOutcome = 'done' | 'failed' | 'no-room';

/**
 * Polls every `everyMs`, and after a run that failed with a backoff; see `backoffMs`.
 *
 * @param task is told whether it was woken since its last run that began
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
