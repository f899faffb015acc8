/**
 * Installs the worker that makes the shop open without a signal. A failure costs only that, and
 * the next visit tries again.
 */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  void register().catch(() => undefined);
}

async function register(): Promise<void> {
  const isFirstVisit = navigator.serviceWorker.controller === null;
  await navigator.serviceWorker.register('/sw.js');
  const { active } = await navigator.serviceWorker.ready;
  // Pictures that came before the worker did have not passed through its cache.
  if (isFirstVisit) active?.postMessage({ pictures: picturesOnScreen() });
}

function picturesOnScreen(): string[] {
  return [...document.images].filter((image) => image.complete).map((image) => image.currentSrc);
}
