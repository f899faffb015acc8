/** Something for `useSyncExternalStore` that is worked for only as long as somebody looks. */
export interface WatchedStore<T> {
  readonly subscribe: (listener: () => void) => () => void;
  readonly snapshot: () => T;
}

/** @param start begins the work when the first one looks; returns what ends it when nobody does */
export function watchedStore<T>(
  initial: T,
  start: (set: (next: T) => void, get: () => T) => () => void,
): WatchedStore<T> {
  let value = initial;
  let stop: (() => void) | null = null;
  const listeners = new Set<() => void>();
  const get = () => value;

  function set(next: T): void {
    value = next;
    for (const listener of listeners) listener();
  }

  return {
    snapshot: get,
    subscribe(listener) {
      listeners.add(listener);
      stop ??= start(set, get);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        stop = null;
      };
    },
  };
}
