import { Workbox } from 'workbox-window';

/** Installs the worker that makes the shop open without a signal. A failure costs only that. */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  new Workbox('/sw.js').register().catch(() => undefined);
}
