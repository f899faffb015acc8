/** The page gets progress at most ten times a second, which is smooth enough for a bar. */
export const PROGRESS_MS = 100;

export interface ThrottledValue<T> {
  /** Passes a value on; holds it back when the last one was passed less than `ms` ago. */
  readonly set: (value: T) => void;
  /** Passes on the last value that was held back. */
  readonly finish: () => void;
}

/** Passes values on to a listener, at most one in `ms` by the clock `now`. */
export function throttleValue<T>(
  ms: number,
  now: () => number,
  listener: (value: T) => void,
): ThrottledValue<T> {
  let lastAt = Number.NEGATIVE_INFINITY;
  let heldBack: { readonly value: T } | null = null;

  function finish(): void {
    if (heldBack) listener(heldBack.value);
    heldBack = null;
  }

  return {
    set(value) {
      heldBack = { value };
      if (now() - lastAt < ms) return;
      lastAt = now();
      finish();
    },
    finish,
  };
}
