import { useSyncExternalStore } from 'react';
import type { ReadableStore } from '../browser/store.ts';

/** The store's value; renders again when the value changes. Also works when the build renders markup. */
export function useStore<T>({ subscribe, snapshot }: ReadableStore<T>): T {
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}

/** The result of `select` for the store's value; renders again only when `Object.is` says that it changed. */
export function useSelected<T, S>(
  { subscribe, snapshot }: ReadableStore<T>,
  select: (value: T) => S,
): S {
  return useStore({ subscribe, snapshot: () => select(snapshot()) });
}
