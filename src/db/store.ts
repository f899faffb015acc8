/** Something that is followed, for `useSyncExternalStore`. */
export interface ReadableStore<T> {
  readonly subscribe: (listener: () => void) => () => void;
  /** The last value; undefined until the first. */
  readonly snapshot: () => T | undefined;
}

export interface Store<T> extends ReadableStore<T> {
  readonly set: (value: T) => void;
}

/** Holds a value for the screens, whoever it comes from. */
export function createStore<T>(): Store<T> {
  const listeners = new Set<() => void>();
  let value: T | undefined;
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    snapshot: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
  };
}
