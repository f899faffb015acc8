import { type ImportJobs, isFileKept, latestJob, sentParts } from '../db/import-jobs.ts';
import { isStorageFailure } from '../db/open.ts';

/** An import that began on this device and did not come to its end. */
export interface Unfinished {
  readonly importId: string;
  readonly fileName: string;
  readonly startedAt: number;
  readonly rowsSent: number;
  readonly rowsTotal: number;
  /** Of the file, left out. */
  readonly rowsRefused: number;
  /** Whether the file is kept on this device; otherwise it has to be chosen again. */
  readonly hasFile: boolean;
}

/** Where something about imports is kept; null where this device keeps nothing. */
export type Jobs = () => Promise<ImportJobs | null>;

/** Null where the device does not keep it: nothing that is only kept for later may end an import. */
export async function whereKept<T>(
  jobs: Jobs,
  work: (db: ImportJobs) => PromiseLike<T>,
): Promise<T | null> {
  const db = await jobs();
  try {
    return db && (await work(db));
  } catch (thrown) {
    if (!isStorageFailure(thrown)) throw thrown;
    return null;
  }
}

/** The last import that this shopper left before its end, with how far it came. */
export function unfinishedOf(jobs: Jobs, uid: string): Promise<Unfinished | null> {
  return whereKept(jobs, async (db) => {
    const job = await latestJob(db, uid);
    if (!job) return null;
    const { importId, fileName, startedAt, plan } = job;
    const parts = await sentParts(db, importId);
    const rowsSent = parts.reduce((sum, { rows }) => sum + rows, 0);
    const hasFile = await isFileKept(db, importId);
    const { rowsTotal, rowsRefused } = plan;
    return { importId, fileName, startedAt, rowsSent, rowsTotal, rowsRefused, hasFile };
  });
}
