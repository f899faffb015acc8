import type { WeftDatabase } from './database.ts';
import type { OpenStorage } from './open.ts';

/** Gives access to the database of this page. `open.ts` is loaded after the first screen, because it needs Dexie. */
export class Connection {
  #storage: OpenStorage | null = null;
  #listeners = new Set<() => void>();

  /** Opens the database, however long that takes. */
  async open(): Promise<void> {
    const { openStorage } = await import('./open.ts');
    this.#storage = await openStorage(this.#announce);
    this.#announce();
  }

  /** Resolves when the database is open. The first taps may have to wait for it. */
  opened(): Promise<void> {
    if (this.#storage) return Promise.resolve();
    return new Promise((resolve) => {
      const unsubscribe = this.subscribe(() => {
        unsubscribe();
        resolve();
      });
    });
  }

  /** The shopper's data. @throws before the database is open */
  get db(): WeftDatabase {
    return this.storage.db;
  }

  /** The products: in `db`, or in memory. @throws before the database is open */
  get catalogue(): WeftDatabase {
    return this.storage.catalogue;
  }

  /** Where the shopper's data are; null until the database is open. */
  get kept(): OpenStorage['kept'] | null {
    return this.#storage?.kept ?? null;
  }

  /** Whether the products are in memory because the device is full. */
  get isFull(): boolean {
    return this.#storage !== null && this.#storage.catalogue !== this.#storage.db;
  }

  /** @throws before the database is open */
  get storage(): OpenStorage {
    if (!this.#storage) throw new Error('the database is used before it is opened');
    return this.#storage;
  }

  /** Calls `listener` when the database is open, and when the products move. Returns a function that stops this. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Handles an error of background work; see `OpenStorage.recoverFrom`. */
  async recoverFrom(error: unknown): Promise<void> {
    if (this.#storage) await this.#storage.recoverFrom(error);
    else reportError(error);
  }

  #announce = (): void => {
    for (const listener of this.#listeners) listener();
  };
}

export const connection = new Connection();
