/**
 * Measures when the first product is on screen. It runs in every page before the page's scripts.
 *
 * As soon as a card is in the document, its title is marked for the Element Timing API (W3C, `renderTime`). The API
 * tells when the first frame with that title was presented, in milliseconds since the start of the navigation. That
 * works for cards from a script, from the last visit's stored screen and from React, and it accounts for stylesheets
 * that delay painting.
 */
export interface FirstPaint {
  /** Milliseconds from the start of the navigation to the frame. */
  readonly firstProductMs: Promise<number>;
  /** Until React has hydrated the cards; on a page without React it never resolves. */
  readonly interactiveMs: Promise<number>;
}

declare global {
  interface Window {
    firstPaint: FirstPaint;
  }
}

/** Passed to the browser as text, so it uses nothing from outside its body. */
export function watchFirstPaint(): void {
  const firstProduct = Promise.withResolvers<number>();
  const interactive = Promise.withResolvers<number>();
  window.firstPaint = {
    firstProductMs: firstProduct.promise,
    interactiveMs: interactive.promise,
  };
  new PerformanceObserver((list) => {
    const [entry] = list.getEntries() as (PerformanceEntry & { renderTime: number })[]; // type 'element'
    if (entry) firstProduct.resolve(entry.renderTime);
  }).observe({ type: 'element', buffered: true });

  const cards = new MutationObserver(() => {
    const title = document.querySelector('[role="listitem"] article h2');
    if (!title) return;
    if (!title.hasAttribute('elementtiming')) title.setAttribute('elementtiming', 'product');
    // React sets this property on elements that it has rendered or hydrated.
    if (!Object.keys(title).some((key) => key.startsWith('__reactFiber'))) return;
    interactive.resolve(performance.now());
    cards.disconnect();
  });
  cards.observe(document, { childList: true, subtree: true });
}
