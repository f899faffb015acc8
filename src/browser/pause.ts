/** A worker has no document, and a test has no page. */
interface Page extends Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>> {
  readonly document?: EventTarget & { readonly visibilityState: string };
}

/** Resolves after `ms`, when the signal aborts, or as soon as the network or the user comes back to this page. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  const page: Page = globalThis;
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      page.removeEventListener?.('online', end);
      page.document?.removeEventListener('visibilitychange', ifVisible);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const ifVisible = () => {
      if (page.document?.visibilityState === 'visible') end();
    };
    const timer = setTimeout(end, ms);
    page.addEventListener?.('online', end);
    page.document?.addEventListener('visibilitychange', ifVisible);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}
