import { useSyncExternalStore } from 'react';
import type { ReadableStore } from '../browser/store.ts';

/** The store's value; renders again when it changes. Also works when the build renders markup. */
export function useStore<T>({ subscribe, snapshot }: ReadableStore<T>): T {
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}

/** What `select` makes of the store's value; renders again only when that changes, as by `Object.is`. */
export function useSelected<T, S>(
  { subscribe, snapshot }: ReadableStore<T>,
  select: (value: T) => S,
): S {
  return useStore({ subscribe, snapshot: () => select(snapshot()) });
}
