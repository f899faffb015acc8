/** What the interaction bench watches in the shop's page. */

/** The times of one interaction. */
export interface Interaction {
  /**
   * From the input to the next presented frame, in steps of 8 ms and at least 16. Source: Event
   * Timing (w3.org/TR/event-timing). It does not report going back, which ends at the frame after `popstate`.
   */
  readonly nextPaintMs: number;
  /** From the input to the paint that shows what it did. */
  readonly shownMs: number;
}

declare global {
  interface Window {
    /** Measures the next interaction that begins with this event, until `isShown` returns true. */
    watchInteraction(
      type: 'click' | 'keydown' | 'popstate',
      isShown: () => boolean,
    ): Promise<Interaction>;
  }
}

/** Passed to the browser as text, so it uses nothing from outside its body. */
export function installWatch(): void {
  const TIMEOUT_MS = 10_000;
  /** Event Timing reports no shorter events. */
  const MIN_DURATION_MS = 16;
  /** Event Timing delivers its entries after the paint, within this time. */
  const ENTRIES_MS = 200;

  /** When the frame after the interaction's event was handed over. */
  let firstPaint = Promise.resolve(0);

  /** Resolves to the time after the next frame: the message arrives once the frame has been handed over. */
  function painted(): Promise<number> {
    return new Promise((resolve) => {
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => resolve(performance.now());
        channel.port2.postMessage(null);
      });
    });
  }

  /**
   * Returns a function that takes the event's time stamp and resolves to the milliseconds until the next
   * frame. For a key that is the frame after the last of its events.
   */
  function watchTiming(type: string): (timeStamp: number) => Promise<number> {
    if (type === 'popstate') return async (timeStamp) => (await firstPaint) - timeStamp;
    const types = type === 'click' ? ['click'] : ['keydown', 'keypress', 'input'];
    const entries: PerformanceEntry[] = [];
    const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
    // Not yet in TypeScript's libraries.
    observer.observe({
      type: 'event',
      durationThreshold: MIN_DURATION_MS,
    } as PerformanceObserverInit);
    return async (timeStamp) => {
      await new Promise((resolve) => {
        setTimeout(resolve, ENTRIES_MS);
      });
      observer.disconnect();
      const matching = entries.filter(
        ({ name, startTime }) => types.includes(name) && startTime >= timeStamp,
      );
      return Math.max(
        MIN_DURATION_MS,
        ...matching.map(({ startTime, duration }) => startTime + duration - timeStamp),
      );
    };
  }

  window.watchInteraction = (type, isShown) =>
    new Promise((resolve) => {
      const timing = watchTiming(type);
      addEventListener(
        type,
        ({ timeStamp }) => {
          firstPaint = painted();
          const shown = new Promise<number>((resolveShown, reject) => {
            const timer = setTimeout(
              () => reject(new Error('the page never showed the result')),
              TIMEOUT_MS,
            );
            const observer = new MutationObserver(check);
            observer.observe(document, {
              subtree: true,
              childList: true,
              attributes: true,
              characterData: true,
            });
            check();
            function check() {
              if (!isShown()) return;
              observer.disconnect();
              clearTimeout(timer);
              void painted().then(resolveShown);
            }
          });
          resolve(
            shown.then(async (seen) => ({
              nextPaintMs: await timing(timeStamp),
              shownMs: seen - timeStamp,
            })),
          );
        },
        { capture: true, once: true },
      );
    });
}
