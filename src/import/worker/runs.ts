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
import type { AskFinished } from '../../remote/finished-import.ts';
import type { UploadPart } from '../../remote/upload.ts';
import { fingerprintOf, UnreadableFile } from './file-text.ts';
import type { PartLimits } from './parts.ts';
import type { PageCallbacks, SendOutcome } from '../protocol.ts';
import { FileSender } from './send-file.ts';
import { type OpenJobs, unfinishedOf, withJobs } from '../unfinished.ts';

/** Two weeks. By then the catalogue has changed, and the user should import the file anew. */
const KEPT_MS = 14 * 24 * 60 * 60 * 1000;

export interface RunTools {
  readonly upload: UploadPart;
  readonly askFinished: AskFinished;
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly newId: () => string;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Without storage an import cannot be resumed in another tab. */
  readonly openJobs: OpenJobs;
  /** Whether the device can store so many bytes beside the catalogue and the cart. */
  readonly hasRoomFor: (bytes: number) => Promise<boolean>;
  readonly limits?: PartLimits | undefined;
  readonly sliceBytes?: number | undefined;
}

export function openRuns(tools: RunTools) {
  const inJobs = <T>(task: Parameters<typeof withJobs<T>>[1]) => withJobs(tools.openJobs, task);

  async function run(
    file: Blob,
    job: ImportJob,
    sent: readonly SentPart[],
    page: PageCallbacks,
    signal: AbortSignal,
  ): Promise<SendOutcome> {
    let hasStoredPart = sent.length > 0;
    const sender = new FileSender(file, job, sent, {
      ...tools,
      page,
      signal,
      async keepPart(part) {
        hasStoredPart = true;
        await inJobs((db) => keepPart(db, part));
      },
    });
    const outcome = await sender.run();
    // A rejected import of which the server has stored a part can still be resumed.
    const isOver = outcome.kind === 'done' || (outcome.kind === 'rejected' && !hasStoredPart);
    if (isOver) await inJobs((db) => forgetJob(db, job.importId));
    return outcome;
  }

  /** Stores the file while it is sent. Without a copy the user must choose it again to resume. */
  async function keepCopy(importId: string, file: File): Promise<void> {
    if (await tools.hasRoomFor(file.size)) await inJobs((db) => keepFile(db, importId, file));
  }

  return {
    begin: (uid: string, file: File, plan: ImportPlan, page: PageCallbacks, signal: AbortSignal) =>
      failIfUnreadable(async () => {
        const job: ImportJob = {
          importId: tools.newId(),
          uid,
          startedAt: tools.now(),
          fileName: file.name,
          fileSize: file.size,
          fingerprint: await fingerprintOf(file),
          plan,
        };
        await inJobs((db) => db.jobs.put(job));
        void keepCopy(job.importId, file);
        return run(file, job, [], page, signal);
      }),

    /**
     * @param chosen the file, where the device has no copy of it
     * @param onSending called with the file and the plan before the sending begins
     */
    resume: (
      uid: string,
      importId: string,
      chosen: File | null,
      page: PageCallbacks,
      signal: AbortSignal,
      onSending: (file: Blob, plan: ImportPlan) => void,
    ) =>
      failIfUnreadable(async () => {
        const job = await inJobs((db) => jobOf(db, uid, importId));
        if (!job) return failed('What was known of this import is no longer on this device.');
        const file = chosen ?? (await inJobs((db) => keptFile(db, importId)));
        if (!file) return failed(`Choose the file again: ${job.fileName}`);
        if (!(await isSameFile(file, job))) {
          return failed(`This is not the file that the import began with. Choose ${job.fileName}.`);
        }
        onSending(file, job.plan);
        const sent = (await inJobs((db) => sentParts(db, importId))) ?? [];
        return run(file, job, sent, page, signal);
      }),

    unfinished: (uid: string) => unfinishedOf(tools.openJobs, uid),

    forgetOld: async () => {
      await inJobs((db) => forgetOlder(db, tools.now() - KEPT_MS));
    },

    forget: async (importId: string) => {
      await inJobs((db) => forgetJob(db, importId));
    },
  };
}

export function failed(message: string): SendOutcome {
  return { kind: 'failed', message };
}

async function failIfUnreadable(task: () => Promise<SendOutcome>): Promise<SendOutcome> {
  try {
    return await task();
  } catch (thrown) {
    if (thrown instanceof UnreadableFile) return failed(thrown.message);
    throw thrown;
  }
}

async function isSameFile(file: Blob, job: ImportJob): Promise<boolean> {
  return file.size === job.fileSize && (await fingerprintOf(file)) === job.fingerprint;
}
