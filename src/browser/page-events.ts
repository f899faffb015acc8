import type { Timing } from '../domain/timing.ts';
import { REPLAY } from '../domain/worker-messages.ts';

/** Time and chance as the page has them. */
export const pageTiming: Timing & { readonly now: () => number } = {
  setTimeout: (run, ms) => window.setTimeout(run, ms),
  clearTimeout: (timer) => window.clearTimeout(timer),
  random: () => Math.random(),
  now: () => Date.now(),
};

/**
 * Calls `wake` when the network or the shopper comes back to this page, or the platform tells the
 * service worker of the network. Returns what ends it.
 */
export function onWakeUp(wake: () => void): () => void {
  const ifVisible = () => {
    if (document.visibilityState === 'visible') wake();
  };
  // A page taken out of the back/forward cache is the only showing that was not a start.
  const ifRestored = (event: PageTransitionEvent) => {
    if (event.persisted) wake();
  };
  const ifAsked = (event: MessageEvent<unknown>) => {
    if (event.data === REPLAY) wake();
  };
  // Absent on pages that are not secure.
  const worker = 'serviceWorker' in navigator ? navigator.serviceWorker : null;
  worker?.addEventListener('message', ifAsked);
  window.addEventListener('online', wake);
  window.addEventListener('pageshow', ifRestored);
  document.addEventListener('visibilitychange', ifVisible);
  return () => {
    worker?.removeEventListener('message', ifAsked);
    window.removeEventListener('online', wake);
    window.removeEventListener('pageshow', ifRestored);
    document.removeEventListener('visibilitychange', ifVisible);
  };
}
