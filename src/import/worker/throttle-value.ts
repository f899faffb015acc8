/** The page gets progress at most ten times a second, which is smooth enough for a bar. */
export const PROGRESS_MS = 100;

export interface Told<T> {
  /** Passes a value on, unless the last one was passed less than the pause ago. */
  readonly set: (value: T) => void;
  /** Passes the last value on if it was held back. */
  readonly finish: () => void;
}

export function throttleValue<T>(
  ms: number,
  now: () => number,
  handOn: (value: T) => void,
): Told<T> {
  let lastAt = Number.NEGATIVE_INFINITY;
  let heldBack: { readonly value: T } | null = null;

  function finish(): void {
    if (heldBack) handOn(heldBack.value);
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
