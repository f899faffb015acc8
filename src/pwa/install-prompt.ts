/** Not in TypeScript's libraries. Source: wicg.github.io/manifest-incubations. */
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

// Once, and early: so it is listened to from the first script on.
window.addEventListener('beforeinstallprompt', (event) => {
  // The shop itself says when: not over the first screen of a first visit.
  event.preventDefault();
  prompt = event;
  for (const listener of listeners) listener();
});

/** The browser's own question whether to install the shop; null where it has none to ask. */
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
