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

// Once, and early: so it is listened to from the first script on.
window.addEventListener('beforeinstallprompt', (event) => {
  // The shop itself says when: not over the first screen of a first visit.
  event.preventDefault();
  store.set(event);
});

/** The browser's own question whether to install the shop; null where it has none to ask. */
export function installPrompt(): (() => void) | null {
  const kept = store.snapshot();
  if (!kept) return null;
  return () => {
    store.set(null);
    void kept.prompt().catch(() => undefined);
  };
}

export const onInstallPrompt = store.subscribe;
