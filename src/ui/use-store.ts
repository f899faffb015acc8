import { useSyncExternalStore } from 'react';

/** What a store holds, followed as it changes; where the first screen is drawn at build, too. */
export function useStore<T>(subscribe: (listener: () => void) => () => void, snapshot: () => T): T {
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}
