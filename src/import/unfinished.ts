import { type ImportJobs, isFileKept, latestJob, leftOutOf, sentParts } from '../db/import-jobs.ts';
import { isStorageFailure } from '../db/open.ts';
import type { LeftOut } from '../domain/row-counts.ts';

/** An import that began on this device and has not finished. */
export interface Unfinished {
  readonly importId: string;
  readonly fileName: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly rowsSent: number;
  readonly rowsTotal: number;
  readonly leftOut: LeftOut;
  /** Whether this device has a copy of the file; otherwise the user must choose it again. */
  readonly hasFile: boolean;
}

/** Opens the database of unfinished imports; null on a device without storage. */
export type OpenJobs = () => Promise<ImportJobs | null>;

/** Runs a task on that database. Returns null where storage is missing or fails: an import works without it. */
export async function withJobs<T>(
  openJobs: OpenJobs,
  task: (db: ImportJobs) => PromiseLike<T>,
): Promise<T | null> {
  const db = await openJobs();
  try {
    return db && (await task(db));
  } catch (thrown) {
    if (!isStorageFailure(thrown)) throw thrown;
    return null;
  }
}

/** This user's newest unfinished import, with its progress; null for none, or without storage. */
export function unfinishedOf(openJobs: OpenJobs, uid: string): Promise<Unfinished | null> {
  return withJobs(openJobs, async (db) => {
    const job = await latestJob(db, uid);
    if (!job) return null;
    const { importId, fileName, startedAt, plan } = job;
    const parts = await sentParts(db, importId);
    const rowsSent = parts.reduce((sum, { rows }) => sum + rows, 0);
    const hasFile = await isFileKept(db, importId);
    const { rowsTotal } = plan;
    const leftOut = leftOutOf(plan);
    return { importId, fileName, startedAt, rowsSent, rowsTotal, leftOut, hasFile };
  });
}
