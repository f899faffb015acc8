/** A text that the browser keeps under a name. */
export interface Slot {
  /** Null when there is none, or none can be kept. */
  read(): string | null;
  /** Keeps nothing where storage is blocked or full: whoever reads it must get on without. */
  write(text: string): void;
  clear(): void;
}

/** For this tab, through its reloads. */
export function tabSlot(name: string): Slot {
  return slotIn(() => sessionStorage, name);
}

/** For all tabs, for good. */
export function deviceSlot(name: string): Slot {
  return slotIn(() => localStorage, name);
}

/** What a slot holds, once. */
export function take(slot: Slot): string | null {
  const text = slot.read();
  slot.clear();
  return text;
}

/** @param storage asked anew each time: naming a blocked one throws */
function slotIn(storage: () => Storage, name: string): Slot {
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
