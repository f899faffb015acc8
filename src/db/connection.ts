import type { Databases, WeftDatabase } from './database.ts';
import type { Failover } from './failover.ts';

/**
 * Gives access to the databases of this page. `failover.ts` decides whether they are on the device or
 * in memory. It is loaded after the first screen, because it needs Dexie.
 */
export class Connection {
  #failover: Failover | null = null;
  #databases: Databases | null = null;
  #listeners = new Set<() => void>();

  async open(): Promise<void> {
    const { Failover } = await import('./failover.ts');
    this.#failover = new Failover((databases) => {
      this.#databases = databases;
      for (const listener of this.#listeners) listener();
    });
    await this.#failover.open();
  }

  /** Resolves when a database is open. The first taps may have to wait for it. */
  opened(): Promise<void> {
    return this.#until(() => this.kept !== null);
  }

  /** Resolves when a database is open and `isShopperKnown`. */
  known(): Promise<void> {
    return this.#until(() => this.isShopperKnown);
  }

  /** The shopper's data. @throws before a database is open */
  get db(): WeftDatabase {
    return this.#current.db;
  }

  /** The products: in `db`, or in memory. @throws before a database is open */
  get catalogue(): WeftDatabase {
    return this.#current.catalogue;
  }

  /** Where the shopper's data are; null until a database is open. */
  get kept(): Databases['kept'] | null {
    return this.#databases?.kept ?? null;
  }

  /** Whether the products are in memory because the device is full. */
  get isFull(): boolean {
    return this.#databases?.isFull === true;
  }

  /** False while a device that was not read yet may know a shopper. */
  get isShopperKnown(): boolean {
    return this.#databases?.isShopperKnown === true;
  }

  /** @throws before `open` */
  get failover(): Failover {
    if (!this.#failover) throw new Error(NOT_OPEN);
    return this.#failover;
  }

  /** Calls `listener` when the page changes to other databases. Returns a function that stops this. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Handles an error of background work; see `Failover.recoverFrom`. */
  async recoverFrom(error: unknown): Promise<void> {
    if (this.#failover) await this.#failover.recoverFrom(error);
    else reportError(error);
  }

  get #current(): Databases {
    if (!this.#databases) throw new Error(NOT_OPEN);
    return this.#databases;
  }

  #until(test: () => boolean): Promise<void> {
    if (test()) return Promise.resolve();
    return new Promise((resolve) => {
      const unsubscribe = this.subscribe(() => {
        if (!test()) return;
        unsubscribe();
        resolve();
      });
    });
  }
}

const NOT_OPEN = 'the database is used before it is opened';

export const connection = new Connection();
