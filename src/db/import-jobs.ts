/**
 * Imports that this device began: enough to go on with one after the tab was killed. A database of
 * its own, so that a large file kept here can never get between a shopper and the cart.
 */
import Dexie, { type DexieOptions, type Table } from 'dexie';
import type { Layout } from '../csv/layout.ts';
import type { DecimalMark } from '../csv/price.ts';

/** How a file is read. The same plan over the same file gives the same rows, and the same parts. */
export interface ReadingPlan {
  /** A label of the Encoding Standard. */
  readonly encoding: string;
  readonly layout: Layout;
  /** As it was given to the judge: null lets the column decide. */
  readonly decimalMark: DecimalMark | null;
  readonly blankCellsClear: boolean;
}

export interface ImportPlan extends ReadingPlan {
  /** A bit per row, lowest first: set where a later row of the same product replaces it. */
  readonly replaced: Uint8Array<ArrayBuffer>;
  /** Rows to be sent. */
  readonly rowsTotal: number;
  /** Rows that are left out, each for a fault of its own. */
  readonly rowsRefused: number;
}

export interface ImportJob {
  /** UUID. */
  readonly importId: string;
  readonly uid: string;
  readonly startedAt: number;
  readonly fileName: string;
  readonly fileSize: number;
  /** SHA-256 of its first and last bytes, as `fingerprintOf` makes it. */
  readonly fingerprint: string;
  readonly plan: ImportPlan;
}

/** A part that the shop has confirmed. */
export interface SentPart {
  readonly importId: string;
  readonly part: number;
  /** Of its text: a part that would be another one now is noticed. */
  readonly hash: number;
  readonly rows: number;
  readonly processed: number;
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
}

export class ImportJobs extends Dexie {
  declare readonly jobs: Table<ImportJob, string>;
  declare readonly files: Table<{ readonly importId: string; readonly file: Blob }, string>;
  declare readonly parts: Table<SentPart, [importId: string, part: number]>;

  constructor(options: DexieOptions = {}) {
    // Read by few, and a plan is large: no answer is kept to be given again.
    super('weft-import', { cache: 'disabled', ...options });
    this.version(1).stores({ jobs: 'importId, uid', files: 'importId', parts: '[importId+part]' });
  }
}

/** Keeps a copy of the file of an import that is still known. */
export function keepFile(db: ImportJobs, importId: string, file: Blob): Promise<void> {
  return db.transaction('rw', db.jobs, db.files, async () => {
    if (await isKnown(db, importId)) await db.files.put({ importId, file });
  });
}

/** Notes a confirmed part of an import that is still known. */
export function keepPart(db: ImportJobs, part: SentPart): Promise<void> {
  return db.transaction('rw', db.jobs, db.parts, async () => {
    if (await isKnown(db, part.importId)) await db.parts.put(part);
  });
}

/** The latest import that this shopper began here. Nobody is told of another's. */
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

/** Forgets what was begun before a time, whoever began it: a file of 500 MB must not stay for good. */
export async function forgetOlder(db: ImportJobs, than: number): Promise<void> {
  for (const { importId, startedAt } of await db.jobs.toArray()) {
    if (startedAt < than) await forgetJob(db, importId);
  }
}

/** Without reading the job, which may be large. */
async function isKnown(db: ImportJobs, importId: string): Promise<boolean> {
  return (await db.jobs.where('importId').equals(importId).count()) > 0;
}

function partsOf(db: ImportJobs, importId: string) {
  const range = [
    [importId, Dexie.minKey],
    [importId, Dexie.maxKey],
  ];
  return db.parts.where('[importId+part]').between(range[0], range[1]);
}

let opening: Promise<ImportJobs | null> | null = null;

/** The one of this thread; null where this device keeps nothing. */
export function openImportJobs(): Promise<ImportJobs | null> {
  opening ??= openWithin(new ImportJobs(), OPEN_TIMEOUT_MS);
  return opening;
}

/** Some browsers never answer, rather than say no. */
const OPEN_TIMEOUT_MS = 4000;

async function openWithin(db: ImportJobs, ms: number): Promise<ImportJobs | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, ms, null));
  return Promise.race([
    db.open().then(
      () => db,
      () => null,
    ),
    late,
  ]);
}
