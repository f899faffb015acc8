import { createStore } from '../browser/store.ts';

/** TypeScript's libraries lack this event. Source: wicg.github.io/manifest-incubations. */
interface BeforeInstallPromptEvent extends Event {
  prompt(): Promise<unknown>;
}

declare global {
  interface WindowEventMap {
    beforeinstallprompt: BeforeInstallPromptEvent;
  }
}

const store = createStore<BeforeInstallPromptEvent | null>(null);

// The browser fires the event once and early, so the first script listens to it.
window.addEventListener('beforeinstallprompt', (event) => {
  // Keeps the browser from asking by itself: the shop asks later (`invitation.ts`).
  event.preventDefault();
  store.set(event);
});

// The user may also install the shop from the browser's own menu.
window.addEventListener('appinstalled', () => store.set(null));

/** Returns a function that opens the browser's own dialog to install the shop; null where there is none. */
export function installPrompt(): (() => void) | null {
  const event = store.snapshot();
  if (!event) return null;
  return () => {
    store.set(null);
    void event.prompt().catch(() => undefined);
  };
}

export const onInstallPrompt = store.subscribe;
