/** A store of this tab, for `useSyncExternalStore`. */
export interface Cell<T extends object> {
  readonly get: () => T;
  readonly change: (part: Partial<T>) => void;
  readonly subscribe: (listener: () => void) => () => void;
  /** Whether a screen subscribes to it. */
  readonly isFollowed: () => boolean;
}

export function createCell<T extends object>(first: T): Cell<T> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    change(part) {
      value = { ...value, ...part };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isFollowed: () => listeners.size > 0,
  };
}
