import { shopperStore } from '../db/shopper-store.ts';
import { REPLAY_TAG } from '../domain/worker-messages.ts';

/** TypeScript's libraries lack `sync`. Source: wicg.github.io/background-sync/spec. */
interface WithSync {
  readonly sync?: { register(tag: string): Promise<void> };
}

/**
 * Asks a platform with Background Sync to wake the service worker once there is a network. The tab asks
 * when it could not send changes, and when changes still wait as the user leaves. Nothing relies on the answer.
 */
export function askForReplays(): void {
  /** The number of unsaved changes at the last request; 0 when none wait. */
  let askedFor = 0;

  function askIfStuck(): void {
    const view = shopperStore.snapshot();
    const unsaved = view?.unsaved ?? 0;
    const isStuck =
      !navigator.onLine ||
      document.visibilityState === 'hidden' ||
      view?.saving === 'offline' ||
      view?.saving === 'failed';
    if (unsaved === 0) askedFor = 0;
    else if (isStuck && unsaved !== askedFor) {
      askedFor = unsaved;
      void requestReplay();
    }
  }

  shopperStore.subscribe(askIfStuck);
  window.addEventListener('offline', askIfStuck);
  document.addEventListener('visibilitychange', () => {
    // Since the last request the worker may have been woken while this tab was visible, and have sent nothing.
    if (document.visibilityState === 'hidden') askedFor = 0;
    askIfStuck();
  });
  askIfStuck();
}

async function requestReplay(): Promise<void> {
  const registration: ServiceWorkerRegistration & WithSync = await navigator.serviceWorker.ready;
  // Rejects where the user or the browser forbids it.
  await registration.sync?.register(REPLAY_TAG).catch(() => undefined);
}
