import Dexie, { type BulkError, type DexieError } from 'dexie';
import { backoffMs } from '../domain/timing.ts';

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

/** Shorter than the pauses between requests, because no server has to be spared. */
const PAUSES = { firstMs: 1000, mostMs: 8000 };

/** How long to pause after the storage has failed so many times in a row. */
export function storagePauseMs(failures: number): number {
  return backoffMs(failures, PAUSES, Math.random);
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
  ...FULL,
  // The database does not open, or is not there.
  Dexie.errnames.OpenFailed,
  Dexie.errnames.MissingAPI,
  Dexie.errnames.NotFound,
  // The system has closed the connection, or ended a transaction in the middle.
  Dexie.errnames.DatabaseClosed,
  Dexie.errnames.InvalidState,
  Dexie.errnames.Abort,
  Dexie.errnames.Timeout,
  Dexie.errnames.PrematureCommit,
  Dexie.errnames.TransactionInactive,
  Dexie.errnames.Unknown,
]);
