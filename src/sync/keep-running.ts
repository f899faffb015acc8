/** Time and chance, as arguments: a test can hold them still. */
export interface Timing {
  readonly setTimeout: (run: () => void, ms: number) => number;
  readonly clearTimeout: (timer: number) => void;
  /** From 0 up to 1. */
  readonly random: () => number;
}

const BACKOFF_FIRST_MS = 1000;
const BACKOFF_LAST_MS = 60_000;

export interface Repeated {
  /** Run now, or once more when the run under way has ended. */
  readonly wake: () => void;
  readonly stop: () => void;
}

/**
 * Runs a task whenever it is woken and otherwise every `everyMs`; one run at a time. A run that
 * fails is repeated after a pause that doubles, drawn at random below its bound so that a thousand
 * phones leaving one tunnel do not knock together ("full jitter": AWS Architecture Blog,
 * "Exponential Backoff and Jitter"). Being woken ends a pause.
 */
export function keepRunning(
  task: (signal: AbortSignal) => Promise<{ readonly failed: boolean }>,
  everyMs: number,
  timing: Timing,
): Repeated {
  const stopping = new AbortController();
  let timer: number | null = null;
  let isRunning = false;
  let isWanted = false;
  let failures = 0;

  async function run(): Promise<void> {
    isRunning = true;
    do {
      isWanted = false;
      const { failed } = await task(stopping.signal);
      failures = failed ? failures + 1 : 0;
    } while (isWanted && !stopping.signal.aborted);
    isRunning = false;
    if (!stopping.signal.aborted) timer = timing.setTimeout(start, pauseMs());
  }

  function pauseMs(): number {
    if (failures === 0) return everyMs;
    const bound = Math.min(BACKOFF_LAST_MS, BACKOFF_FIRST_MS * 2 ** (failures - 1));
    return timing.random() * bound;
  }

  function start(): void {
    if (timer !== null) timing.clearTimeout(timer);
    timer = null;
    if (isRunning) isWanted = true;
    else if (!stopping.signal.aborted) void run();
  }

  start();
  return {
    wake: start,
    stop: () => {
      stopping.abort();
      if (timer !== null) timing.clearTimeout(timer);
    },
  };
}
