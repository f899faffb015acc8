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
