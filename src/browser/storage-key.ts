/** A text that the browser stores under a name. */
export interface StorageKey {
  /** Null when there is none, or the storage is blocked. */
  read(): string | null;
  /** False where the storage is blocked or full. It then has the text from before, if any. */
  write(text: string): boolean;
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
      const isStored = key.write(text);
      // A full storage still has the text from before.
      if (!isStored) key.clear();
      remembered = isStored ? null : text;
      return true;
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
  function tryTo<T>(use: (open: Storage) => T, otherwise: T): T {
    try {
      return use(storage());
    } catch {
      return otherwise; // blocked or full
    }
  }

  return {
    read: () => tryTo((open) => open.getItem(name), null),
    write: (text) =>
      tryTo((open) => {
        open.setItem(name, text);
        return true;
      }, false),
    clear: () => tryTo((open) => open.removeItem(name), undefined),
  };
}
