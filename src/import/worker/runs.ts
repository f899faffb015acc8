/** Runs imports to their last part, across lost connections, ended sessions and killed tabs. */
import {
  forgetJob,
  forgetOlder,
  type ImportJob,
  type ImportPlan,
  jobOf,
  keepFile,
  keepPart,
  keptFile,
  type SentPart,
  sentParts,
} from '../../db/import-jobs.ts';
import type { UploadPart } from '../../remote/upload.ts';
import { fingerprintOf, UnreadableFile } from './file-text.ts';
import type { PartLimits } from './parts.ts';
import type { Page, SendOutcome } from '../protocol.ts';
import { sendFile } from './send-file.ts';
import { type Jobs, type Unfinished, unfinishedOf, whereKept } from '../unfinished.ts';

/** Two weeks. A user who has not resumed an import by then had better begin anew. */
const KEPT_MS = 14 * 24 * 60 * 60 * 1000;

export interface RunTools {
  readonly upload: UploadPart;
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly newId: () => string;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** On a device without storage an import ends with its tab. */
  readonly jobs: Jobs;
  /** Whether the device can store so many bytes beside the catalogue and the cart. */
  readonly hasRoomFor: (bytes: number) => Promise<boolean>;
  readonly limits?: PartLimits | undefined;
  readonly sliceBytes?: number | undefined;
}

export interface Runs {
  begin(
    uid: string,
    file: File,
    plan: ImportPlan,
    page: Page,
    signal: AbortSignal,
  ): Promise<SendOutcome>;
  /**
   * @param chosen the file, where the device has no copy
   * @param onFound is called with the file and the plan before the sending begins
   */
  resume(
    uid: string,
    importId: string,
    chosen: File | null,
    page: Page,
    signal: AbortSignal,
    onFound: (file: Blob, plan: ImportPlan) => void,
  ): Promise<SendOutcome>;
  unfinished(uid: string): Promise<Unfinished | null>;
  forgetOld(): Promise<void>;
  forget(importId: string): Promise<void>;
}

export function openRuns(tools: RunTools): Runs {
  const kept = <T>(work: Parameters<typeof whereKept<T>>[1]) => whereKept(tools.jobs, work);

  async function run(
    file: Blob,
    job: ImportJob,
    sent: readonly SentPart[],
    page: Page,
    signal: AbortSignal,
  ): Promise<SendOutcome> {
    let isBegun = sent.length > 0;
    const outcome = await sendFile(file, job, sent, {
      ...tools,
      page,
      signal,
      async note(part) {
        isBegun = true;
        await kept((db) => keepPart(db, part));
      },
    });
    const isOver = outcome.kind === 'done' || (outcome.kind === 'rejected' && !isBegun);
    if (isOver) await kept((db) => forgetJob(db, job.importId));
    return outcome;
  }

  /** Runs beside the sending. Without a copy the user must choose the file again to resume. */
  async function keepCopy(importId: string, file: File): Promise<void> {
    if (await tools.hasRoomFor(file.size)) await kept((db) => keepFile(db, importId, file));
  }

  return {
    begin: (uid, file, plan, page, signal) =>
      orUnreadable(async () => {
        const job: ImportJob = {
          importId: tools.newId(),
          uid,
          startedAt: tools.now(),
          fileName: file.name,
          fileSize: file.size,
          fingerprint: await fingerprintOf(file),
          plan,
        };
        await kept((db) => db.jobs.put(job));
        void keepCopy(job.importId, file);
        return run(file, job, [], page, signal);
      }),

    resume: (uid, importId, chosen, page, signal, onFound) =>
      orUnreadable(async () => {
        const job = await kept((db) => jobOf(db, uid, importId));
        if (!job) return failed('What was known of this import is no longer on this device.');
        const file = chosen ?? (await kept((db) => keptFile(db, importId)));
        if (!file) return failed(`Choose the file again: ${job.fileName}`);
        if (!(await isSame(file, job))) {
          return failed(`This is not the file that the import began with. Choose ${job.fileName}.`);
        }
        onFound(file, job.plan);
        const sent = (await kept((db) => sentParts(db, importId))) ?? [];
        return run(file, job, sent, page, signal);
      }),

    unfinished: (uid) => unfinishedOf(tools.jobs, uid),

    async forgetOld() {
      await kept((db) => forgetOlder(db, tools.now() - KEPT_MS));
    },

    async forget(importId) {
      await kept((db) => forgetJob(db, importId));
    },
  };
}

export function failed(message: string): SendOutcome {
  return { kind: 'failed', message };
}

async function orUnreadable(work: () => Promise<SendOutcome>): Promise<SendOutcome> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof UnreadableFile) return failed(thrown.message);
    throw thrown;
  }
}

async function isSame(file: Blob, job: ImportJob): Promise<boolean> {
  return file.size === job.fileSize && (await fingerprintOf(file)) === job.fingerprint;
}
