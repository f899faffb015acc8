/** A state that is polled as long as a component subscribes, for `useObservable`. */
export interface PolledState<T> {
  /** Begins to poll. Returns a function that stops it. */
  readonly subscribe: (next: (state: T) => void) => () => void;
  /** Without this the hook subscribes and unsubscribes once only to see whether there is a value. */
  readonly hasValue: () => false;
}

export function polledState<T>(subscribe: PolledState<T>['subscribe']): PolledState<T> {
  return { subscribe, hasValue: () => false };
}
