/**
 * Timers of the embedded database, which lives in real time beside the simulated one. It sets them
 * while it works and sets them anew when they go off, through the same global `setTimeout` as the
 * engine. So a timer that is real marks what runs in it.
 */
const timer = globalThis.setTimeout;
let isRunning = false;

/** Whether what runs now was begun by a real timer. */
export function isInRealTimer(): boolean {
  return isRunning;
}

export function setRealTimer(run: () => void, ms: number): NodeJS.Timeout {
  return timer(() => {
    isRunning = true;
    try {
      run();
    } finally {
      isRunning = false;
    }
  }, ms);
}

/** Runs work whose timers are real, before there is any simulated time. */
export async function withRealTimers<T>(work: () => Promise<T>): Promise<T> {
  const before = globalThis.setTimeout;
  Object.assign(globalThis, { setTimeout: setRealTimer });
  try {
    return await work();
  } finally {
    globalThis.setTimeout = before;
  }
}
