/**
 * Opens the database of this page, and mends it when an operation fails.
 *
 * The page chooses once: the device, or memory where the browser does not let it store anything. An opening
 * that is merely late is waited for. On a full device the products alone move to memory.
 */
import { withTimeout } from '../browser/with-timeout.ts';
import { dropUnfinished, forgetCatalogue } from './catalogue-log.ts';
import { WeftDatabase } from './database.ts';
import { moveWaiting } from './move-waiting.ts';
import { dropPictures } from './picture-cache.ts';
import { isFull, isStorageFailure } from './storage-failure.ts';

/** @param onMove called when the products move to memory */
export async function openStorage(onMove: () => void): Promise<OpenStorage> {
  const device = new WeftDatabase();
  try {
    await device.open().catch(() => reopen(device));
  } catch {
    return new OpenStorage(await openInMemory(), 'memory', onMove);
  }
  const storage = new OpenStorage(device, 'device', onMove);
  // Taps from now on wait behind this transaction. If it fails, the next start moves the waiting taps.
  void storage.write(moveWaiting).catch(() => undefined);
  return storage;
}

export class OpenStorage {
  readonly db: WeftDatabase;
  readonly kept: 'device' | 'memory';
  /** The database of the products: `db`, or one in memory until the next page load. */
  catalogue: WeftDatabase;
  #memory: Promise<WeftDatabase> | null = null;
  #reopening: Promise<void> | null = null;
  #onMove: () => void;

  constructor(db: WeftDatabase, kept: 'device' | 'memory', onMove: () => void) {
    this.db = db;
    this.catalogue = db;
    this.kept = kept;
    this.#onMove = onMove;
  }

  /**
   * Writes a user's action. After a failure of the storage reopens the database and tries once more. A full
   * device first loses the pictures, and if that is not enough the products.
   *
   * @throws the error of the second try
   */
  async write<T>(work: (db: WeftDatabase) => Promise<T>): Promise<T> {
    try {
      return await work(this.db);
    } catch (error) {
      if (!isStorageFailure(error)) throw error;
      return isFull(error) ? this.#writeWithRoom(work) : this.#writeAgain(work);
    }
  }

  /** Handles a failure of background work, which its caller repeats. Reports errors that are not the storage's. */
  async recoverFrom(error: unknown): Promise<void> {
    if (!isStorageFailure(error)) reportError(error);
    // On a full device this does nothing: `write` makes room, because a user waits for it.
    else if (!isFull(error)) await this.#reopen().catch(() => undefined);
  }

  /** Like `recoverFrom`, after reading or writing the products. */
  async recoverCatalogueFrom(error: unknown): Promise<void> {
    if (!isFull(error)) return this.recoverFrom(error);
    if (await dropPictures()) return;
    // A complete catalogue, even an old one, stays on the device for an offline start.
    await this.#moveCatalogue(dropUnfinished);
  }

  async #writeWithRoom<T>(work: (db: WeftDatabase) => Promise<T>): Promise<T> {
    if (await dropPictures()) {
      try {
        return await work(this.db);
      } catch (error) {
        if (!isFull(error)) throw error;
      }
    }
    await this.#moveCatalogue(forgetCatalogue);
    return this.#writeAgain(work);
  }

  async #writeAgain<T>(work: (db: WeftDatabase) => Promise<T>): Promise<T> {
    await this.#reopen();
    return work(this.db);
  }

  /** Simultaneous calls share one reopening. */
  #reopen(): Promise<void> {
    this.#reopening ??= reopen(this.db).finally(() => {
      this.#reopening = null;
    });
    return this.#reopening;
  }

  /** From now on the page loads the products into memory. `makeRoom` deletes products from the device. */
  async #moveCatalogue(makeRoom: (device: WeftDatabase) => Promise<void>): Promise<void> {
    this.#memory ??= openInMemory();
    const memory = await this.#memory;
    // If this fails too, the next write fails, and its caller tells the shopper.
    await makeRoom(this.db).catch(() => undefined);
    if (this.catalogue === memory) return;
    this.catalogue = memory;
    this.#onMove();
  }
}

/** Closes the database and opens it again; operations that wait for it go on afterwards. */
async function reopen(db: WeftDatabase): Promise<void> {
  db.close({ disableAutoOpen: false });
  await db.open();
}

/**
 * Opens the shop's tables over an IndexedDB written in JavaScript. Its data last as long as this tab.
 */
export async function openInMemory(): Promise<WeftDatabase> {
  const { IDBFactory, IDBKeyRange } = await import('fake-indexeddb');
  const db = new WeftDatabase({ indexedDB: new IDBFactory(), IDBKeyRange });
  await db.open();
  return db;
}

/** Limit for a database that never answers: the import's worker goes on without it. */
const DEVICE_TIMEOUT_MS = 4000;

/** Runs `work` on the device's database. False if it failed. */
export async function tryOnDevice(work: (db: WeftDatabase) => Promise<void>): Promise<boolean> {
  const db = new WeftDatabase();
  try {
    await withTimeout(db.open(), DEVICE_TIMEOUT_MS);
    await work(db);
    return true;
  } catch {
    return false;
  } finally {
    db.close();
  }
}
