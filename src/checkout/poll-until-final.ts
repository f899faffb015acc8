/** Time, as an argument: a test can hold it still. */
export interface Timing {
  readonly setTimeout: (run: () => void, ms: number) => number;
  readonly clearTimeout: (timer: number) => void;
}

const FIRST_PAUSE_MS = 1000;
const LAST_PAUSE_MS = 60_000;

/** `quiet`: there is nothing to ask until somebody wakes it. */
export type Answered = 'final' | 'open' | 'quiet';

export interface Polling {
  /** Ask now, and begin again with short pauses. */
  readonly wake: () => void;
  readonly stop: () => void;
}

/**
 * Asks at once, and again after pauses that double, until an answer is final. One question at a
 * time: being woken while one is under way means one more behind it.
 */
export function pollUntilFinal(
  ask: (signal: AbortSignal) => Promise<Answered>,
  timing: Timing,
): Polling {
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: number | null = null;
  let isAsking = false;
  let isWoken = false;
  let pauseMs = FIRST_PAUSE_MS;

  async function run(): Promise<void> {
    if (timer !== null) timing.clearTimeout(timer);
    timer = null;
    isAsking = true;
    const outcome = await ask(signal);
    isAsking = false;
    if (outcome === 'final' || signal.aborted) {
      stopping.abort();
    } else if (isWoken) {
      isWoken = false;
      void run();
    } else if (outcome === 'open') {
      timer = timing.setTimeout(() => void run(), pauseMs);
      pauseMs = Math.min(LAST_PAUSE_MS, pauseMs * 2);
    }
  }

  void run();
  return {
    wake() {
      if (signal.aborted) return;
      pauseMs = FIRST_PAUSE_MS;
      if (isAsking) isWoken = true;
      else void run();
    },
    stop() {
      stopping.abort();
      if (timer !== null) timing.clearTimeout(timer);
    },
  };
}
