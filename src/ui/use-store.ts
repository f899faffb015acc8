import { useSyncExternalStore } from 'react';
import type { ReadableStore } from '../browser/store.ts';

/** What a store holds, followed as it changes; where the first screen is drawn at build, too. */
export function useStore<T>({ subscribe, snapshot }: ReadableStore<T>): T {
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}
