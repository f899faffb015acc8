/** What the page keeps in `localStorage`, which Node does not have. */
import { beforeEach } from 'vitest';

/** Puts an empty storage in place before each test of a file. */
export function freshLocalStorage(): Map<string, string> {
  const stored = new Map<string, string>();
  beforeEach(() => {
    stored.clear();
    Object.defineProperty(globalThis, 'localStorage', {
      configurable: true,
      value: {
        getItem: (name: string) => stored.get(name) ?? null,
        setItem: (name: string, text: string) => void stored.set(name, text),
        removeItem: (name: string) => void stored.delete(name),
      },
    });
  });
  return stored;
}
