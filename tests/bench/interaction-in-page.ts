/** What the interaction bench watches in the shop's page. */

export interface Interaction {
  /** From the input to the next paint, as the shopper's thread sees it. */
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

  window.watchInteraction = (type, isShown) =>
    new Promise((resolve) => {
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
            Promise.all([painted(), shown]).then(([next, seen]) => ({
              nextPaintMs: next - timeStamp,
              shownMs: seen - timeStamp,
            })),
          );
        },
        { capture: true, once: true },
      );
    });
}
