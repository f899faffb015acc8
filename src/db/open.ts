import Dexie, { type BulkError, type DexieError } from 'dexie';
import { WeftDatabase } from './database.ts';

/** An upgrade blocked by an old tab, or a browser that never answers, must not hold up a caller. */
const OPEN_TIMEOUT_MS = 4000;

/**
 * The same tables over an IndexedDB written in JavaScript: what uses the database knows no
 * difference, but it lasts as long as this tab.
 */
export async function openInMemory(): Promise<WeftDatabase> {
  const { IDBFactory, IDBKeyRange } = await import('fake-indexeddb');
  const db = new WeftDatabase({ indexedDB: new IDBFactory(), IDBKeyRange });
  await db.open();
  return db;
}

/** Does something to the database on the device, whatever this page works with. False when it failed. */
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

/** @throws when a connection cannot be had in time; the database may still open later */
export async function reopen(db: WeftDatabase): Promise<void> {
  db.close({ disableAutoOpen: false });
  await withTimeout(db.open(), OPEN_TIMEOUT_MS);
}

export function isReopened(db: WeftDatabase): Promise<boolean> {
  return reopen(db).then(
    () => true,
    () => false,
  );
}

/**
 * Whether an error says that the store itself is unfit (full, lost, closed by the system) rather
 * than that our code is wrong. iOS closes connections of apps in the background. Dexie's `BulkError`
 * names its causes in `failures`, other errors theirs in `inner` or `cause`.
 */
export function isStorageFailure(error: unknown): boolean {
  return isOneOf(STORAGE_ERRORS, error);
}

/** Whether there was no room. */
export function isFull(error: unknown): boolean {
  return isOneOf(FULL, error);
}

function isOneOf(names: ReadonlySet<string>, error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (names.has(error.name)) return true;
  const { inner, failures } = error as Partial<DexieError & BulkError>; // what is not Dexie's has neither
  return [inner, error.cause, ...Object.values(failures ?? [])].some((each) =>
    isOneOf(names, each),
  );
}

const FULL = new Set<string>([Dexie.errnames.QuotaExceeded]);

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

/** @throws `TimeoutError` */
export function withTimeout<T>(work: PromiseLike<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new DOMException(`no answer within ${ms} ms`, 'TimeoutError'));
    const timer = setTimeout(late, ms);
    work.then(resolve, reject).then(() => clearTimeout(timer));
  });
}
