import { onWakeUp } from '../browser/page-events.ts';
import { pageTiming } from '../browser/page-timing.ts';
import { type Poll, poll } from '../browser/poll.ts';
import type { Timing } from '../domain/timing.ts';

const MIN_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;

/** `open`: asks again after a pause. `quiet`: asks again only after a wake-up. */
export type Finality = 'final' | 'open' | 'quiet';

/** Asks at once, and again after pauses that double from each wake-up, until an answer is final. */
export function pollUntilFinal(
  ask: (signal: AbortSignal) => Promise<Finality>,
  timing: Pick<Timing, 'setTimeout' | 'clearTimeout'>,
): Poll {
  let nextMs = MIN_PAUSE_MS;
  return poll(async (signal, isWoken) => {
    if (isWoken) nextMs = MIN_PAUSE_MS;
    const finality = await ask(signal);
    if (finality === 'final') return null;
    if (finality === 'quiet') return Infinity;
    const pauseMs = nextMs;
    nextMs = Math.min(MAX_PAUSE_MS, 2 * nextMs);
    return pauseMs;
  }, timing);
}

/**
 * Polls, and wakes up when the network or the shopper comes back to this page. Returns a function that
 * stops it.
 */
export function pollInPage(ask: (signal: AbortSignal) => Promise<Finality>): () => void {
  const { wake, stop } = pollUntilFinal(ask, pageTiming);
  const stopListening = onWakeUp(wake);
  return () => {
    stop();
    stopListening();
  };
}

/** A state that is polled as long as a component subscribes, for `useObservable`. */
export interface PolledState<T> {
  /** Begins to poll. Returns a function that stops it. */
  readonly subscribe: (next: (state: T) => void) => () => void;
  /** Without this method the hook would subscribe once more, only to see whether there is a value. */
  readonly hasValue: () => false;
}

export function polledState<T>(subscribe: PolledState<T>['subscribe']): PolledState<T> {
  return { subscribe, hasValue: () => false };
}
