import { onWakeUp } from './page-events.ts';

/**
 * Starts work whose script is a chunk of its own. A chunk that does not come is asked for again
 * when the network or the shopper comes back. Returns what stops the work, begun or not.
 */
export function laterWithPatience<T>(
  load: () => Promise<T>,
  start: (module: T) => () => void,
): () => void {
  let stop: (() => void) | null = null;
  let isLoading = false;
  let isStopped = false;

  async function attempt() {
    if (isLoading || stop || isStopped) return;
    isLoading = true;
    try {
      const module = await load();
      if (!isStopped) stop = start(module);
    } catch {
      // Offline before the worker had kept it: the listeners below try again.
    }
    isLoading = false;
  }

  const stopListening = onWakeUp(() => void attempt());
  void attempt();
  return () => {
    isStopped = true;
    stopListening();
    stop?.();
  };
}
