import { CONSENT } from '../domain/worker-messages.ts';

/** Limit for the waiting version to take over. */
const TAKEOVER_TIMEOUT_MS = 4000;

/** Reloads. A waiting version takes over first: perhaps only the present version lacks the script. */
export async function openAnew(): Promise<void> {
  const worker = 'serviceWorker' in navigator ? navigator.serviceWorker : null;
  const registration = await worker?.getRegistration().catch(() => undefined);
  const waiting = registration?.waiting;
  if (waiting) {
    await new Promise<void>((resolve) => {
      waiting.addEventListener('statechange', () => resolve());
      setTimeout(resolve, TAKEOVER_TIMEOUT_MS);
      waiting.postMessage(CONSENT);
    });
  }
  location.reload();
}
