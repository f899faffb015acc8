/**
 * Resolves when the page has nothing else to do.
 *
 * @param otherwiseMs how long to wait instead where the browser cannot say so, as Safari
 * @param options as of `requestIdleCallback`
 */
export function whenIdle(otherwiseMs: number, options?: IdleRequestOptions): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), options);
    else setTimeout(resolve, otherwiseMs);
  });
}
