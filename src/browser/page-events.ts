import { REPLAY } from '../domain/worker-messages.ts';

/**
 * Calls `wake` when the network or the shopper comes back to this page, or when the service worker
 * reports that the network is back. Returns a function that stops this.
 */
export function onWakeUp(wake: () => void): () => void {
  const ifVisible = () => {
    if (document.visibilityState === 'visible') wake();
  };
  // `pageshow` also fires when a page is loaded; `persisted` is true for a page from the back/forward cache.
  const ifRestored = (event: PageTransitionEvent) => {
    if (event.persisted) wake();
  };
  const ifAsked = (event: MessageEvent<unknown>) => {
    if (event.data === REPLAY) wake();
  };
  // `serviceWorker` is absent on pages that are not secure.
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
