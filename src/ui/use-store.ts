import { useSyncExternalStore } from 'react';

/** Subscribes to a store, also while the build renders the first screen on the server. */
export function useStore<T>(subscribe: (listener: () => void) => () => void, snapshot: () => T): T {
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}
