/** Loads and starts what can wait. If the module cannot be loaded, the shop works without it until the next visit. */
export function loadAfterFirstPaint(): void {
  void import('./after-first-paint.ts').then(
    ({ startAfterFirstPaint }) => startAfterFirstPaint(),
    () => undefined,
  );
}
