/** What the interaction bench watches in the shop's page. */

export interface Interaction {
  /**
   * From the input to the next paint, in steps of 8 and at least 16. Source: Event Timing, which
   * counts to when the frame is presented (w3.org/TR/event-timing).
   */
  readonly nextPaintMs: number;
  /** From the input to the paint that shows what it did. */
  readonly shownMs: number;
}

declare global {
  interface Window {
    /** Watches one interaction from now on: the event it begins with, and when it can be seen. */
    watchInteraction(type: 'click' | 'keydown', isShown: () => boolean): Promise<Interaction>;
  }
}

/** Given to the browser as text: it may use nothing from outside itself. */
export function installWatch(): void {
  const LATE_MS = 10_000;
  /** Event Timing tells of nothing that is quicker. */
  const QUICK_MS = 16;
  /** Its entries come behind the paint. */
  const ENTRIES_MS = 200;

  /** Behind the next frame's work: a message is delivered once the frame has been handed over. */
  function painted(): Promise<number> {
    return new Promise((resolve) => {
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => resolve(performance.now());
        channel.port2.postMessage(null);
      });
    });
  }

  /** What the browser says of the event, and of the letter that came with it. */
  function watchTiming(type: string): (timeStamp: number) => Promise<number> {
    const types = type === 'click' ? ['click'] : ['keydown', 'keypress', 'input'];
    const entries: PerformanceEntry[] = [];
    const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
    // Not yet in TypeScript's libraries.
    observer.observe({ type: 'event', durationThreshold: QUICK_MS } as PerformanceObserverInit);
    return async (timeStamp) => {
      await new Promise((resolve) => {
        setTimeout(resolve, ENTRIES_MS);
      });
      observer.disconnect();
      const own = entries.filter(
        ({ name, startTime }) => types.includes(name) && startTime >= timeStamp,
      );
      return Math.max(
        QUICK_MS,
        ...own.map(({ startTime, duration }) => startTime + duration - timeStamp),
      );
    };
  }

  window.watchInteraction = (type, isShown) =>
    new Promise((resolve) => {
      const timing = watchTiming(type);
      addEventListener(
        type,
        ({ timeStamp }) => {
          const shown = new Promise<number>((shownAt, late) => {
            const timer = setTimeout(() => late(new Error('it is never shown')), LATE_MS);
            const observer = new MutationObserver(look);
            observer.observe(document, {
              subtree: true,
              childList: true,
              attributes: true,
              characterData: true,
            });
            look();
            function look() {
              if (!isShown()) return;
              observer.disconnect();
              clearTimeout(timer);
              void painted().then(shownAt);
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
