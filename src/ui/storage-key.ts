/** A text that the browser keeps under a name. */
export interface StorageKey {
  /** Null when there is none, or none can be kept. */
  read(): string | null;
  /** Keeps nothing where storage is blocked or full: whoever reads it must get on without. */
  write(text: string): void;
  clear(): void;
}

/** For this tab, through its reloads. */
export function sessionKey(name: string): StorageKey {
  return keyIn(() => sessionStorage, name);
}

/** For all tabs, for good. */
export function localKey(name: string): StorageKey {
  return keyIn(() => localStorage, name);
}

/** What a key holds, once. */
export function takeText(key: StorageKey): string | null {
  const text = key.read();
  key.clear();
  return text;
}

/** @param storage asked anew each time: naming a blocked one throws */
function keyIn(storage: () => Storage, name: string): StorageKey {
  return {
    read() {
      try {
        return storage().getItem(name);
      } catch {
        return null;
      }
    },
    write(text) {
      try {
        storage().setItem(name, text);
      } catch {
        // As said above.
      }
    },
    clear() {
      try {
        storage().removeItem(name);
      } catch {
        // Then nothing is in it.
      }
    },
  };
}
