import Dexie, { type BulkError, type DexieError } from 'dexie';
import { WeftDatabase } from './database.ts';

/**
 * Where this page keeps its data.
 *
 * - `device`  IndexedDB: survives the tab, the browser and a lost signal
 * - `memory`  this tab only, because IndexedDB is blocked, full or broken. The same tables run over
 *             an IndexedDB written in JavaScript, so nothing above this file knows the difference
 *             but the line that tells the shopper
 */
export interface OpenDatabase {
  readonly db: WeftDatabase;
  readonly kept: 'device' | 'memory';
}

/** An upgrade blocked by an old tab, or a browser that never answers, must not keep the shop shut. */
const OPEN_TIMEOUT_MS = 4000;

export async function openDatabase(): Promise<OpenDatabase> {
  const db = new WeftDatabase();
  try {
    await withTimeout(db.open(), OPEN_TIMEOUT_MS);
    return { db, kept: 'device' };
  } catch {
    db.close();
    return openInMemory();
  }
}

export async function openInMemory(): Promise<OpenDatabase> {
  const { IDBFactory, IDBKeyRange } = await import('fake-indexeddb');
  const db = new WeftDatabase({ indexedDB: new IDBFactory(), IDBKeyRange });
  await db.open();
  return { db, kept: 'memory' };
}

/** Does something to the database on the device although it was given up. False when it failed. */
export async function tryOnDevice(work: (db: WeftDatabase) => Promise<void>): Promise<boolean> {
  const db = new WeftDatabase();
  try {
    await withTimeout(db.open(), OPEN_TIMEOUT_MS);
    await work(db);
    return true;
  } catch {
    return false;
  } finally {
    db.close();
  }
}

/**
 * Takes over what can still be read, table by table: a full disk must neither empty the shop nor
 * sign anyone out. Changes that wait are sent from the copy; should the original be read again
 * one day, the server knows their ids.
 */
export async function copyReadable(from: WeftDatabase, to: WeftDatabase): Promise<void> {
  for (const { name } of from.tables) {
    try {
      await to.table(name).bulkPut(await from.table(name).toArray());
    } catch {
      // A lost store: what is missing then comes from the network.
    }
  }
}

/**
 * Whether an error says that the store itself is unfit (full, lost, closed by the system) rather
 * than that our code is wrong. iOS closes connections of apps in the background. Dexie's `BulkError`
 * names its causes in `failures`, other errors theirs in `inner` or `cause`.
 */
export function isStorageFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (STORAGE_ERRORS.has(error.name)) return true;
  const { inner, failures } = error as Partial<DexieError & BulkError>; // what is not Dexie's has neither
  return [inner, error.cause, ...Object.values(failures ?? [])].some(isStorageFailure);
}

const STORAGE_ERRORS = new Set<string>([
  Dexie.errnames.QuotaExceeded,
  Dexie.errnames.DatabaseClosed,
  Dexie.errnames.OpenFailed,
  Dexie.errnames.InvalidState,
  Dexie.errnames.Unknown,
  Dexie.errnames.MissingAPI,
  Dexie.errnames.Timeout,
  Dexie.errnames.Abort,
  Dexie.errnames.NotFound,
  Dexie.errnames.PrematureCommit,
  Dexie.errnames.TransactionInactive,
]);

function withTimeout<T>(work: PromiseLike<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
    work.then(resolve, reject).then(() => clearTimeout(timer));
  });
}
