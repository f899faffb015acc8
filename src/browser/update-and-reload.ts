import { CONSENT } from '../domain/worker-messages.ts';

/** Limit for the newer version to take over. */
const TAKEOVER_TIMEOUT_MS = 4000;

/**
 * Reloads after a script could not be loaded. A newer version takes over first, because the host may no longer have
 * the scripts of this one. Nobody is asked: this tab cannot go on anyway.
 */
export async function updateAndReload(): Promise<void> {
  const timeout = new Promise((resolve) => setTimeout(resolve, TAKEOVER_TIMEOUT_MS));
  await Promise.race([takeOver(), timeout]);
  location.reload();
}

/** Resolves when a newer version has taken over, or when there is none. */
async function takeOver(): Promise<void> {
  // Undefined in Firefox's private windows.
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  await registration?.update().catch(() => undefined);
  const next = registration?.installing ?? registration?.waiting;
  if (!next) return;
  await new Promise<void>((resolve) => {
    next.addEventListener('statechange', () => {
      if (next.state === 'activated') resolve();
    });
    next.postMessage(CONSENT);
  });
}
