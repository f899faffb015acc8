import { pollUntilFinal, type Answered } from './poll-until-final.ts';

/**
 * Asks until an answer is final, and anew when the network or the shopper comes back to this page.
 * Returns what ends it.
 */
export function pollInPage(ask: (signal: AbortSignal) => Promise<Answered>): () => void {
  const asking = pollUntilFinal(ask, {
    setTimeout: (run, ms) => window.setTimeout(run, ms),
    clearTimeout: (timer) => window.clearTimeout(timer),
  });
  const listening = new AbortController();
  const { signal } = listening;
  const ifVisible = () => {
    if (document.visibilityState === 'visible') asking.wake();
  };
  const ifRestored = ({ persisted }: PageTransitionEvent) => {
    if (persisted) asking.wake();
  };
  window.addEventListener('online', asking.wake, { signal });
  window.addEventListener('pageshow', ifRestored, { signal });
  document.addEventListener('visibilitychange', ifVisible, { signal });
  return () => {
    asking.stop();
    listening.abort();
  };
}
