import type { Databases, WeftDatabase } from './database.ts';
import type { Failover } from './failover.ts';

/**
 * The databases of this page. The device is their home; `failover.ts` decides when the page goes on
 * in memory, and when it comes back. That comes with Dexie, after the first screen.
 */
export class Connection {
  #failover: Failover | null = null;
  #now: Databases | null = null;
  #listeners = new Set<() => void>();

  async open(): Promise<void> {
    const { Failover } = await import('./failover.ts');
    this.#failover = new Failover((now) => {
      this.#now = now;
      for (const listener of this.#listeners) listener();
    });
    await this.#failover.open();
  }

  /** Resolves when there is a database, which the first taps may have to wait for. */
  opened(): Promise<void> {
    return this.#until((now) => now !== null);
  }

  /** Resolves when there is one that knows who is signed in. */
  known(): Promise<void> {
    return this.#until((now) => now?.isShopperKnown === true);
  }

  get db(): WeftDatabase {
    return this.#open.db;
  }

  get catalogue(): WeftDatabase {
    return this.#open.catalogue;
  }

  /** Where the shopper's data are kept; null until that is known. */
  get kept(): Databases['kept'] | null {
    return this.#now?.kept ?? null;
  }

  get isFull(): boolean {
    return this.#now?.isFull === true;
  }

  get isShopperKnown(): boolean {
    return this.#now?.isShopperKnown === true;
  }

  /** What decides about failures; there is none before `open`. */
  get failover(): Failover {
    if (!this.#failover) throw new Error(NOT_OPEN);
    return this.#failover;
  }

  /** Calls back when another database has taken over. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** For an error of the storage in what nobody waits for; any other is a bug, and reported. */
  async recoverFrom(error: unknown): Promise<void> {
    if (this.#failover) await this.#failover.recoverFrom(error);
    else reportError(error);
  }

  get #open(): Databases {
    if (!this.#now) throw new Error(NOT_OPEN);
    return this.#now;
  }

  #until(test: (now: Databases | null) => boolean): Promise<void> {
    if (test(this.#now)) return Promise.resolve();
    return new Promise((resolve) => {
      const unsubscribe = this.subscribe(() => {
        if (!test(this.#now)) return;
        unsubscribe();
        resolve();
      });
    });
  }
}

const NOT_OPEN = 'the database is used before it is opened';

export const connection = new Connection();
