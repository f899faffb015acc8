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
