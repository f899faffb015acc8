/** The page's storages, `localStorage` and `sessionStorage`, which Node does not have. */
import { vi } from 'vitest';

/** Makes the page's code use an empty storage until `vi.unstubAllGlobals`. Returns its entries. */
export function plugInStorage(name: 'localStorage' | 'sessionStorage'): Map<string, string> {
  const entries = new Map<string, string>();
  vi.stubGlobal(name, {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, text: string) => void entries.set(key, text),
    removeItem: (key: string) => void entries.delete(key),
  });
  return entries;
}
