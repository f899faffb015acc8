/** A text that the browser stores under a name. */
export interface StorageKey {
  /** Null when there is none, or the storage is blocked. */
  read(): string | null;
  /** Stores nothing where the storage is blocked or full: the reader must work without the text. */
  write(text: string): void;
  clear(): void;
}

/** A key of this tab, in `sessionStorage`: it survives reloads. */
export function sessionKey(name: string): StorageKey {
  return keyIn(() => sessionStorage, name);
}

/** A key that all tabs share, in `localStorage`. */
export function localKey(name: string): StorageKey {
  return keyIn(() => localStorage, name);
}

/**
 * A key that also works while the storage is blocked or full: then this document remembers the text. Otherwise
 * only the storage counts, because a page that Back restores must not prefer its own text to one that a later
 * page has stored.
 */
export function rememberedKey(key: StorageKey): StorageKey {
  let remembered: string | null = null;
  return {
    read: () => key.read() ?? remembered,
    write(text) {
      key.write(text);
      const isStored = key.read() === text;
      // A full storage still has the previous text.
      if (!isStored) key.clear();
      remembered = isStored ? null : text;
    },
    clear() {
      remembered = null;
      key.clear();
    },
  };
}

/** Returns the text of a key, and deletes it. */
export function takeText(key: StorageKey): string | null {
  const text = key.read();
  key.clear();
  return text;
}

/** @param storage is called each time, because access to a blocked storage throws */
function keyIn(storage: () => Storage, name: string): StorageKey {
  function tryTo<T>(use: (open: Storage) => T): T | null {
    try {
      return use(storage());
    } catch {
      return null; // blocked or full
    }
  }

  return {
    read: () => tryTo((open) => open.getItem(name)),
    write: (text) => void tryTo((open) => open.setItem(name, text)),
    clear: () => void tryTo((open) => open.removeItem(name)),
  };
}
