/** How often the page hears of progress: ten times a second is as smooth as a bar needs. */
export const PROGRESS_MS = 100;

export interface Told<T> {
  /** Hands a value on unless one has just been. */
  readonly set: (value: T) => void;
  /** Hands on the last value, should it have been held back. */
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
