import { useSyncExternalStore } from 'react';
import type { ShopperRow } from '../db/database.ts';
import { liveStore } from '../db/live-store.ts';
import { readShopper } from '../db/shopper-log.ts';

const shopper = liveStore(async (db) => (await readShopper(db)) ?? null);

/** Who is signed in on this phone; null for nobody, undefined until it has been read. */
export function useShopper(): ShopperRow | null | undefined {
  return useSyncExternalStore(shopper.subscribe, shopper.snapshot);
}

/** Resolves when it is known who is signed in, so that the first screen can say it. */
export function shopperKnown(): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = shopper.subscribe(() => {
      unsubscribe();
      resolve();
    });
    if (shopper.snapshot() !== undefined) resolve();
  });
}

/** Whether the browser believes that it has a network. It may be wrong, so nothing is forbidden. */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribeToOnline, () => navigator.onLine);
}

function subscribeToOnline(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
