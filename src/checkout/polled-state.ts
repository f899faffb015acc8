/** Something that is asked for as long as somebody looks, for `useObservable`. */
export interface PolledState<T> {
  /** Begins to ask; returns what ends it. */
  readonly subscribe: (next: (state: T) => void) => () => void;
  /** Unless it is told so, the hook begins and ends once only to see whether there is a value. */
  readonly hasValue: () => false;
}

export function polledState<T>(subscribe: PolledState<T>['subscribe']): PolledState<T> {
  return { subscribe, hasValue: () => false };
}
