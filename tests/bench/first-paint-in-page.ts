/**
 * When the first product is on screen: put into every page before its own scripts.
 *
 * As soon as a card is in the document its title is marked for the Element Timing API, which tells
 * when the frame that first shows it was presented. That holds for a card that a script wrote from
 * text, one kept from the last visit and one by React alike, knows about a stylesheet that is still
 * awaited, and counts from the start of the navigation (W3C Element Timing; `renderTime`).
 */
export interface FirstPaint {
  /** Milliseconds from the start of the navigation to the frame. */
  readonly firstProductMs: Promise<number>;
  /** Until the cards are React's; for ever on a page without React. */
  readonly interactiveMs: Promise<number>;
}

declare global {
  interface Window {
    firstPaint: FirstPaint;
  }
}

/** Given to the browser as text: it may use nothing from outside itself. */
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
    // React marks the elements that are its own with a property.
    if (!Object.keys(title).some((key) => key.startsWith('__reactFiber'))) return;
    interactive.resolve(performance.now());
    cards.disconnect();
  });
  cards.observe(document, { childList: true, subtree: true });
}
