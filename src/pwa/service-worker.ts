/**
 * Starts what the shop is more than a page with: the worker that opens it without a signal, its
 * new versions, the badge, the invitation. A failure costs only that, and the next visit tries again.
 */
export function registerServiceWorker(): void {
  void import('./after-first-paint.ts').then(
    ({ startAfterFirstPaint }) => startAfterFirstPaint(),
    () => undefined,
  );
}
