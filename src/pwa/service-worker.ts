/**
 * Starts the parts of the installed app: the worker that opens the shop offline, its updates, the badge,
 * the invitation. When they do not arrive, the shop works without them until the next visit.
 */
export function registerServiceWorker(): void {
  void import('./after-first-paint.ts').then(
    ({ startAfterFirstPaint }) => startAfterFirstPaint(),
    () => undefined,
  );
}
