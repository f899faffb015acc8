const FIRST_PAUSE_MS = 1000;
const LAST_PAUSE_MS = 60_000;

/** The pause after a failure: a second after the first (`lastMs` is 0), then twice the last, up to a minute. */
export function nextPauseMs(lastMs: number): number {
  return Math.min(LAST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, 2 * lastMs));
}

/** Resolves after `ms`, or as soon as the network or the user comes back to this page. */
export function pause(ms: number): Promise<void> {
  const page: Partial<Pick<Window, 'addEventListener' | 'removeEventListener' | 'document'>> =
    globalThis; // a test has no page
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      page.removeEventListener?.('online', end);
      page.document?.removeEventListener('visibilitychange', ifVisible);
      resolve();
    };
    const ifVisible = () => {
      if (page.document?.visibilityState === 'visible') end();
    };
    const timer = setTimeout(end, ms);
    page.addEventListener?.('online', end);
    page.document?.addEventListener('visibilitychange', ifVisible);
  });
}
