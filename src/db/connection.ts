import type { WeftDatabase } from './database.ts';
import type { OpenDatabase } from './open.ts';

/** What opens databases: it comes with Dexie, after the first screen. */
type Opener = typeof import('./open.ts');

/**
 * The database this page works with. It changes once at most: from the device to memory, when the
 * device can no longer keep anything.
 */
export class Connection {
  #opener: Opener | null = null;
  #open: OpenDatabase | null = null;
  #listeners = new Set<() => void>();
  #moving: Promise<void> | null = null;

  async open(): Promise<void> {
    this.#opener = await import('./open.ts');
    this.#open = await this.#opener.openDatabase();
    this.#announce();
  }

  /** Resolves when there is a database, which the first taps may have to wait for. */
  opened(): Promise<void> {
    if (this.#open) return Promise.resolve();
    return new Promise((resolve) => {
      const unsubscribe = this.subscribe(() => {
        unsubscribe();
        resolve();
      });
    });
  }

  get db(): WeftDatabase {
    if (!this.#open) throw new Error('the database is used before it is opened');
    return this.#open.db;
  }

  /** Where data is kept; null until that is known. */
  get kept(): OpenDatabase['kept'] | null {
    return this.#open?.kept ?? null;
  }

  /** Calls back when another database has taken over. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Closes the open database and opens it again: a connection that the system cut is none. */
  async reopen(): Promise<void> {
    const { db } = this;
    db.close({ disableAutoOpen: false });
    await db.open();
  }

  /**
   * What to do when the store failed: go on in memory with what can still be read.
   * An error that is not the store's is a bug and is thrown where everyone sees it.
   */
  recoverFrom(error: unknown): void {
    if (!this.#opener?.isStorageFailure(error)) {
      reportError(error);
      return;
    }
    if (this.#open?.kept !== 'device') return;
    this.#moving ??= this.#moveToMemory(this.#opener, this.#open.db);
  }

  /** Resolves when no move is under way; true when the device was given up for memory. */
  async hasMoved(): Promise<boolean> {
    await this.#moving;
    return this.#moving !== null;
  }

  async #moveToMemory({ openInMemory, copyReadable }: Opener, broken: WeftDatabase): Promise<void> {
    const memory = await openInMemory();
    await copyReadable(broken, memory.db);
    broken.close();
    this.#open = memory;
    this.#announce();
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }
}

export const connection = new Connection();
