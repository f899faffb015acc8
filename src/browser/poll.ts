import type { Timing } from '../domain/timing.ts';

export interface Poll {
  /** Runs the task now, or once more after the run under way. */
  readonly wake: () => void;
  readonly stop: () => void;
}

/**
 * Runs a task at once, on `wake`, and after the pause that its last run returned; one run at a time.
 * `wake` ends a pause.
 *
 * @param task learns whether `wake` was called since its last run (true for the first run). Returns
 *   the pause in milliseconds: `Infinity` to wait for `wake`, null to never run again
 */
export function poll(
  task: (signal: AbortSignal, isWoken: boolean) => Promise<number | null>,
  timing: Pick<Timing, 'setTimeout' | 'clearTimeout'>,
): Poll {
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: number | null = null;
  let isRunning = false;
  let isWanted = false;
  let isWoken = false;

  async function run(): Promise<void> {
    isRunning = true;
    let pauseMs: number | null;
    do {
      isWanted = false;
      const wasWoken = isWoken;
      isWoken = false;
      pauseMs = await task(signal, wasWoken);
    } while (isWanted && pauseMs !== null && !signal.aborted);
    isRunning = false;
    if (pauseMs === null) stopping.abort();
    if (signal.aborted || pauseMs === null || pauseMs === Infinity) return;
    timer = timing.setTimeout(start, pauseMs);
  }

  function start(): void {
    if (timer !== null) timing.clearTimeout(timer);
    timer = null;
    if (isRunning) isWanted = true;
    else if (!signal.aborted) void run();
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
