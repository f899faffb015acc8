import type { Timing } from '../domain/timing.ts';

/** Runs at once at the first call; further calls within `everyMs` run it once more at the end. */
export function throttle(
  run: () => void,
  everyMs: number,
  { setTimeout, clearTimeout }: Pick<Timing, 'setTimeout' | 'clearTimeout'>,
): { readonly call: () => void; readonly stop: () => void } {
  let timer: number | null = null;
  let isCalled = false;

  function begin(): void {
    isCalled = false;
    timer = setTimeout(() => {
      timer = null;
      if (isCalled) begin();
    }, everyMs);
    run();
  }

  return {
    call() {
      if (timer === null) begin();
      else isCalled = true;
    },
    stop() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
