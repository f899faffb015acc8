import { useSyncExternalStore } from 'react';
import type { ReadableStore } from '../browser/store.ts';

/** The store's value; renders again when it changes. Also works when the build renders markup. */
export function useStore<T>({ subscribe, snapshot }: ReadableStore<T>): T {
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}
