import { createStore } from '../browser/store.ts';

/** Not in TypeScript's libraries. Source: wicg.github.io/manifest-incubations. */
interface BeforeInstallPromptEvent extends Event {
  prompt(): Promise<unknown>;
}

declare global {
  interface WindowEventMap {
    beforeinstallprompt: BeforeInstallPromptEvent;
  }
}

const store = createStore<BeforeInstallPromptEvent | null>(null);

// The browser fires it once and early, so the first script listens to it.
window.addEventListener('beforeinstallprompt', (event) => {
  // The shop chooses the moment, which is not the first screen of a first visit.
  event.preventDefault();
  store.set(event);
});

/** Opens the browser's own dialog to install the shop; null where the browser offers none. */
export function installPrompt(): (() => void) | null {
  const kept = store.snapshot();
  if (!kept) return null;
  return () => {
    store.set(null);
    void kept.prompt().catch(() => undefined);
  };
}

export const onInstallPrompt = store.subscribe;
