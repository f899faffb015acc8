/** A value of this tab. Screens read it through `useStore` and render again when it changes. */
export interface ReadableStore<T> {
  readonly subscribe: (listener: () => void) => () => void;
  readonly snapshot: () => T;
}

export interface Store<T> extends ReadableStore<T> {
  readonly set: (value: T) => void;
  /** Whether the store has a subscriber. */
  readonly hasSubscriber: () => boolean;
}

export function createStore<T>(first: T): Store<T> {
  const listeners = new Set<() => void>();
  let value = first;
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
    hasSubscriber: () => listeners.size > 0,
  };
}

/** Sets some of a store's fields. */
export function patch<T extends object>({ snapshot, set }: Store<T>, part: Partial<T>): void {
  set({ ...snapshot(), ...part });
}
