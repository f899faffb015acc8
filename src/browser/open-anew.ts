import { CONSENT } from '../domain/worker-messages.ts';

/** Limit for the newer version to take over. */
const TAKEOVER_TIMEOUT_MS = 4000;

/** Reloads. A newer version takes over first: perhaps only the present version lacks a script. */
export async function openAnew(): Promise<void> {
  const worker = 'serviceWorker' in navigator ? navigator.serviceWorker : null;
  const registration = await worker?.getRegistration().catch(() => undefined);
  await registration?.update().catch(() => undefined);
  const next = registration?.installing ?? registration?.waiting;
  if (next) {
    await new Promise<void>((resolve) => {
      next.addEventListener('statechange', () => {
        if (next.state === 'activated') resolve();
      });
      setTimeout(resolve, TAKEOVER_TIMEOUT_MS);
      next.postMessage(CONSENT);
    });
  }
  location.reload();
}
