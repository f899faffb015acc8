import { ASK_AGAIN_MS } from '../domain/failure.ts';
import { backoffMs, type Timing } from '../domain/timing.ts';

const FIRST_PAUSE_MS = 1000;

export interface Poll {
  /** Run now, or once more when the run under way has ended. */
  readonly wake: () => void;
  readonly stop: () => void;
}

/** What a run came to; `no-room`: it has not begun, see `FailureBudget`. */
export type PollOutcome = 'done' | 'failed' | 'no-room';

/**
 * Runs a task whenever it is woken and otherwise every `everyMs`; one run at a time. A run that
 * fails is repeated after a pause; see `backoffMs`. Being woken ends a pause.
 *
 * @param task is told whether it was woken since its last run
 */
export function poll(
  task: (signal: AbortSignal, isWoken: boolean) => Promise<PollOutcome>,
  everyMs: number,
  timing: Timing,
): Poll {
  const stopping = new AbortController();
  let timer: number | null = null;
  let isRunning = false;
  let isWanted = false;
  let isWoken = false;
  let failures = 0;

  async function run(): Promise<void> {
    isRunning = true;
    let pauseMs = everyMs;
    do {
      isWanted = false;
      const wasWoken = isWoken;
      isWoken = false;
      const outcome = await task(stopping.signal, wasWoken);
      if (outcome === 'no-room') {
        isWoken ||= wasWoken;
        pauseMs = ASK_AGAIN_MS;
      } else {
        failures = outcome === 'failed' ? failures + 1 : 0;
        pauseMs = failures === 0 ? everyMs : backoffMs(failures, FIRST_PAUSE_MS, timing.random);
      }
    } while (isWanted && !stopping.signal.aborted);
    isRunning = false;
    if (!stopping.signal.aborted) timer = timing.setTimeout(start, pauseMs);
  }

  function start(): void {
    if (timer !== null) timing.clearTimeout(timer);
    timer = null;
    if (isRunning) isWanted = true;
    else if (!stopping.signal.aborted) void run();
  }

  function wake(): void {
    isWoken = true;
    start();
  }

  wake();
  return {
    wake,
    stop: () => {
      stopping.abort();
      if (timer !== null) timing.clearTimeout(timer);
    },
  };
}
