/**
 * Resolves when the page has nothing else to do.
 *
 * @param safariPauseMs how long to wait in Safari, which cannot say when a page is idle
 * @param options as of `requestIdleCallback`
 */
export function whenIdle(safariPauseMs: number, options?: IdleRequestOptions): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), options);
    else setTimeout(resolve, safariPauseMs);
  });
}
