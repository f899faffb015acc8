/**
 * Stores the imports that this device began, so that one can be resumed after the tab was killed. A
 * separate database, so that a large file here never blocks the cart's.
 */
import Dexie, { type DexieOptions, type Table } from 'dexie';
import type { Layout } from '../csv/layout.ts';
import type { DecimalMark } from '../csv/price.ts';
import type { RowRules } from '../csv/reading-rules.ts';
import type { LeftOut } from '../domain/row-counts.ts';
import { withTimeout } from './open.ts';

/** How a file is read. The same plan and file give the same rows and the same parts. */
export interface ReadingPlan {
  /** A label of the Encoding Standard. */
  readonly encoding: string;
  readonly layout: Layout;
  /** As given to the row validator: null to detect it from the column. */
  readonly decimalMark: DecimalMark | null;
  /** Whether a blank cell empties the stored value instead of leaving it. */
  readonly blankCellsClear: boolean;
  /** The cells with which the user has replaced a refused row, by the row's line. */
  readonly mended?: ReadonlyMap<number, readonly string[]> | undefined;
  /** Absent in the plans of earlier builds, which had no rules. */
  readonly rules?: RowRules;
}

export interface ImportPlan extends ReadingPlan {
  /** One bit per row, lowest first: 1 if a later row of the same product replaces the row. */
  readonly replaced: Uint8Array<ArrayBuffer>;
  /** Rows to send. */
  readonly rowsTotal: number;
  /** Rows that the check rejected, which are not sent. */
  readonly rowsRefused: number;
  /** Rows that a rule leaves out; absent in plans of earlier builds, which had no such rules. */
  readonly rowsSkipped?: number;
}

export interface ImportJob {
  /** UUID. */
  readonly importId: string;
  readonly uid: string;
  /** In ms since 1970. */
  readonly startedAt: number;
  readonly fileName: string;
  /** In bytes. */
  readonly fileSize: number;
  /** SHA-256 of the file's first and last bytes; see `fingerprintOf`. */
  readonly fingerprint: string;
  readonly plan: ImportPlan;
}

/** A part that the server has confirmed. */
export interface SentPart {
  readonly importId: string;
  readonly part: number;
  /** Hash of the part's text, to notice a file that has changed. */
  readonly hash: number;
  /** Rows in the part. The counts below are the server's. */
  readonly rows: number;
  readonly processed: number;
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
}

/** Counts the rows that an import under this plan does not send. */
export function leftOutOf({ replaced, rowsRefused, rowsSkipped = 0 }: ImportPlan): LeftOut {
  let count = 0;
  for (const byte of replaced) {
    for (let bits = byte; bits > 0; bits &= bits - 1) count += 1; // `bits & (bits - 1)` clears the lowest 1
  }
  return { replaced: count, rejected: rowsRefused, skipped: rowsSkipped };
}

export class ImportJobs extends Dexie {
  declare readonly jobs: Table<ImportJob, string>;
  declare readonly files: Table<{ readonly importId: string; readonly file: Blob }, string>;
  declare readonly parts: Table<SentPart, [importId: string, part: number]>;

  constructor(options: DexieOptions = {}) {
    // No cache: reads are rare, and a plan is large.
    super('weft-import', { cache: 'disabled', ...options });
    this.version(1).stores({ jobs: 'importId, uid', files: 'importId', parts: '[importId+part]' });
  }
}

/** Stores a copy of an import's file, if the import still exists. */
export function keepFile(db: ImportJobs, importId: string, file: Blob): Promise<void> {
  return db.transaction('rw', db.jobs, db.files, async () => {
    if (await isKnown(db, importId)) await db.files.put({ importId, file });
  });
}

/** Stores a confirmed part, if its import still exists. */
export function keepPart(db: ImportJobs, part: SentPart): Promise<void> {
  return db.transaction('rw', db.jobs, db.parts, async () => {
    if (await isKnown(db, part.importId)) await db.parts.put(part);
  });
}

/** The latest import that this user began here. */
export async function latestJob(db: ImportJobs, uid: string): Promise<ImportJob | undefined> {
  const jobs = await db.jobs.where('uid').equals(uid).sortBy('startedAt');
  return jobs.at(-1);
}

export async function jobOf(
  db: ImportJobs,
  uid: string,
  importId: string,
): Promise<ImportJob | undefined> {
  const job = await db.jobs.get(importId);
  return job?.uid === uid ? job : undefined;
}

export function sentParts(db: ImportJobs, importId: string): PromiseLike<SentPart[]> {
  return partsOf(db, importId).toArray();
}

export async function keptFile(db: ImportJobs, importId: string): Promise<Blob | null> {
  return (await db.files.get(importId))?.file ?? null;
}

export async function isFileKept(db: ImportJobs, importId: string): Promise<boolean> {
  return (await db.files.where('importId').equals(importId).count()) > 0;
}

export async function forgetJob(db: ImportJobs, importId: string): Promise<void> {
  await db.transaction('rw', db.jobs, db.files, db.parts, async () => {
    await db.jobs.delete(importId);
    await db.files.delete(importId);
    await partsOf(db, importId).delete();
  });
}

/** Deletes this user's imports, with the copies of their files. */
export async function forgetJobsOf(db: ImportJobs, uid: string): Promise<void> {
  const importIds = await db.jobs.where('uid').equals(uid).primaryKeys();
  for (const importId of importIds) await forgetJob(db, importId);
}

/** Deletes all users' imports that began before `beforeMs` (since 1970), because a stored file may have 500 MB. */
export async function forgetOlder(db: ImportJobs, beforeMs: number): Promise<void> {
  for (const { importId, startedAt } of await db.jobs.toArray()) {
    if (startedAt < beforeMs) await forgetJob(db, importId);
  }
}

/** Counts instead of reading the job, which may be large. */
async function isKnown(db: ImportJobs, importId: string): Promise<boolean> {
  return (await db.jobs.where('importId').equals(importId).count()) > 0;
}

function partsOf(db: ImportJobs, importId: string) {
  return db.parts
    .where('[importId+part]')
    .between([importId, Dexie.minKey], [importId, Dexie.maxKey]);
}

let opening: Promise<ImportJobs | null> | null = null;

/** Opens this thread's one connection; null if the device has no working storage. */
export function openImportJobs(): Promise<ImportJobs | null> {
  opening ??= openOrNull(new ImportJobs());
  return opening;
}

/** In some browsers a request to open a database neither succeeds nor fails. */
const OPEN_TIMEOUT_MS = 4000;

function openOrNull(db: ImportJobs): Promise<ImportJobs | null> {
  return withTimeout(db.open(), OPEN_TIMEOUT_MS).then(
    () => db,
    () => null,
  );
}

/** Whether `bytes` are at most half of the free storage: carts and the catalogue come first. */
export async function hasRoomFor(bytes: number): Promise<boolean> {
  try {
    const { quota = 0, usage = 0 } = await navigator.storage.estimate();
    return bytes <= (quota - usage) / 2;
  } catch {
    return false;
  }
}
