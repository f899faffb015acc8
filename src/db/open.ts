import Dexie, { type BulkError, type DexieError } from 'dexie';
import { WeftDatabase } from './database.ts';

/** Limit for an upgrade that an old tab blocks, or a browser that never answers. */
const OPEN_TIMEOUT_MS = 4000;

/**
 * Opens the shop's tables over an IndexedDB written in JavaScript, for when the device's fails. Its data
 * last as long as this tab.
 */
export async function openInMemory(): Promise<WeftDatabase> {
  const { IDBFactory, IDBKeyRange } = await import('fake-indexeddb');
  const db = new WeftDatabase({ indexedDB: new IDBFactory(), IDBKeyRange });
  await db.open();
  return db;
}

/** Runs `work` on the device's database, even if this page works in memory. False if it failed. */
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
 * Closes the database and opens it again; operations that wait for it go on afterwards.
 *
 * @throws when it does not open in time; it may still open later
 */
export async function reopen(db: WeftDatabase): Promise<void> {
  db.close({ disableAutoOpen: false });
  await withTimeout(db.open(), OPEN_TIMEOUT_MS);
}

/** Whether the work was done; false if it failed. */
export function didSucceed(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

/**
 * Whether an error comes from the storage (full, lost, closed by the system) and not from a bug of
 * ours. iOS closes connections of apps in the background. Dexie's `BulkError` has its causes in
 * `failures`, other errors in `inner` or `cause`.
 */
export function isStorageFailure(error: unknown): boolean {
  return isOneOf(STORAGE_ERRORS, error);
}

/** Whether an error says that the storage is full. */
export function isFull(error: unknown): boolean {
  return isOneOf(FULL, error);
}

function isOneOf(names: ReadonlySet<string>, error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (names.has(error.name)) return true;
  const { inner, failures } = error as Partial<DexieError & BulkError>; // errors that are not Dexie's have neither
  return [inner, error.cause, ...Object.values(failures ?? [])].some((cause) =>
    isOneOf(names, cause),
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

/** Rejects with a `TimeoutError` after `ms`; the work itself goes on. */
export function withTimeout<T>(work: PromiseLike<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const rejectLate = () => reject(new DOMException(`no answer within ${ms} ms`, 'TimeoutError'));
    const timer = setTimeout(rejectLate, ms);
    work.then(resolve, reject).then(() => clearTimeout(timer));
  });
}
