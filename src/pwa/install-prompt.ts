/** TypeScript's libraries lack it. Source: wicg.github.io/manifest-incubations. */
interface BeforeInstallPromptEvent extends Event {
  prompt(): Promise<unknown>;
}

declare global {
  interface WindowEventMap {
    beforeinstallprompt: BeforeInstallPromptEvent;
  }
}

let prompt: BeforeInstallPromptEvent | null = null;
const listeners = new Set<() => void>();

// The browser fires it once and early, so the first script listens to it.
window.addEventListener('beforeinstallprompt', (event) => {
  // The shop chooses the moment, which is not the first screen of a first visit.
  event.preventDefault();
  prompt = event;
  for (const listener of listeners) listener();
});

/** Opens the browser's own dialog to install the shop; null where the browser offers none. */
export function installPrompt(): (() => void) | null {
  const kept = prompt;
  if (!kept) return null;
  return () => {
    prompt = null;
    void kept.prompt().catch(() => undefined);
  };
}

export function onInstallPrompt(listener: () => void): void {
  listeners.add(listener);
}
