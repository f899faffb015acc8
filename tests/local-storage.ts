/** The page's storages, `localStorage` and `sessionStorage`, which Node does not have. */
import { beforeEach, vi } from 'vitest';

/** Puts an empty `localStorage` in place before each test of a file. Returns its entries. */
export function freshLocalStorage(): Map<string, string> {
  const entries = new Map<string, string>();
  const value = storageOf(entries);
  beforeEach(() => {
    entries.clear();
    Object.defineProperty(globalThis, 'localStorage', { configurable: true, value });
  });
  return entries;
}

/** Makes the page's code use an empty storage until `vi.unstubAllGlobals`. Returns its entries. */
export function plugInStorage(name: 'localStorage' | 'sessionStorage'): Map<string, string> {
  const entries = new Map<string, string>();
  vi.stubGlobal(name, storageOf(entries));
  return entries;
}

const storageOf = (entries: Map<string, string>) => ({
  getItem: (key: string) => entries.get(key) ?? null,
  setItem: (key: string, text: string) => void entries.set(key, text),
  removeItem: (key: string) => void entries.delete(key),
});
