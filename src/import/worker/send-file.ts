/**
 * Sends a file part by part.
 *
 * The worker reads the file a second time, under the plan of its check, and cuts it into parts as it
 * reads; it pauses while the most parts at once are under way. It stores on the device which parts the
 * shop has acknowledged, so an import can continue after a killed tab: the parts come out the same, and
 * the worker does not send the acknowledged ones again.
 */
import type { ImportJob, SentPart } from '../../db/import-jobs.ts';
import { throttleValue, PROGRESS_MS } from './throttle-value.ts';
import { UnreadableFile } from './file-text.ts';
import { type Part, PartBuilder, type PartLimits } from './parts.ts';
import type { Page, Progress, SendOutcome, Totals } from '../protocol.ts';
import { readRows } from './rows.ts';
import { hashOfBytes } from './text-hash.ts';
import { openUploader, type UploadOptions } from './upload-part.ts';

export interface SendOptions extends UploadOptions {
  readonly page: Page;
  readonly now: () => number;
  /** Stores that the shop has acknowledged a part. Never fails. */
  readonly note: (part: SentPart) => Promise<void>;
  readonly limits?: PartLimits | undefined;
  readonly sliceBytes?: number | undefined;
}

const IN_FLIGHT = 3;

export const OTHER_CONTENT =
  'The file is not what it was when this import began. Choose it as a new file: rows that are ' +
  'stored already stay as they are.';

/** @param sent the parts that the shop has acknowledged before */
export async function sendFile(
  file: Blob,
  job: ImportJob,
  sent: readonly SentPart[],
  options: SendOptions,
): Promise<SendOutcome> {
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  const upload = openUploader({ ...options, signal });
  const progress = throttleValue<Progress>(PROGRESS_MS, options.now, (now) =>
    options.page.progress(now),
  );
  const confirmed = new Map(sent.map((part) => [part.part, part]));
  const ready: Part[] = [];
  const underWay = new Set<Promise<void>>();
  /** Awaited only at the end: a part that is not stored as acknowledged is just sent again. */
  const notes: Promise<void>[] = [];
  let bytes = 0;
  let message: string | null = null;
  let end: SendOutcome | null = null;
  let bug: { readonly thrown: unknown } | null = null;

  function stopWith(outcome: SendOutcome): void {
    end ??= outcome;
    stopping.abort();
  }

  function reportProgress(): void {
    const rows = sumOf(confirmed.values(), 'rows');
    const totalRows = job.plan.rowsTotal;
    progress.set({ rows, totalRows, bytes, totalBytes: file.size });
  }

  async function deliver({ part, csv, rows, isLast }: Part, ownHash: number): Promise<void> {
    const { importId, fileName, plan } = job;
    const totalParts = isLast ? part + 1 : null;
    const { blankCellsClear } = plan;
    const outcome = await upload({ csv, importId, part, totalParts, fileName, blankCellsClear });
    if (outcome.kind !== 'stored') {
      stopWith(outcome);
      return;
    }
    const { message: words, ...counts } = outcome.answer;
    const note: SentPart = { importId, part, hash: ownHash, rows, ...counts };
    notes.push(options.note(note));
    confirmed.set(part, note);
    if (part === 0 && isLast) message = words;
    reportProgress();
  }

  async function sendReady(): Promise<void> {
    for (const part of ready.splice(0)) {
      const ownHash = hashOfBytes(part.csv);
      const before = confirmed.get(part.part);
      if (before && before.hash !== ownHash) stopWith({ kind: 'failed', message: OTHER_CONTENT });
      while (underWay.size >= IN_FLIGHT) await Promise.race(underWay);
      if (signal.aborted) return;
      if (before) continue;
      const delivery = deliver(part, ownHash)
        .catch((thrown: unknown) => {
          bug ??= { thrown };
          stopping.abort();
        })
        .finally(() => underWay.delete(delivery));
      underWay.add(delivery);
    }
  }

  async function readAndSend(): Promise<void> {
    const builder = new PartBuilder(job.plan, (part) => ready.push(part), options.limits);
    const { fault } = await readRows(file, job.plan, {
      signal,
      sliceBytes: options.sliceBytes,
      take: (validated, _cells, _line, row) => builder.add(validated, row),
      afterSlice: (read) => {
        bytes = read;
        reportProgress();
        return sendReady();
      },
    });
    if (fault) {
      stopWith({ kind: 'failed', message: fault.sentence });
      return;
    }
    builder.end();
    await sendReady();
  }

  try {
    await readAndSend();
  } catch (thrown) {
    if (thrown instanceof UnreadableFile) stopWith({ kind: 'failed', message: thrown.message });
    else if (!signal.aborted) bug ??= { thrown };
  }
  if (bug) stopping.abort();
  await Promise.all(underWay);
  await Promise.all(notes);
  progress.finish();
  if (bug) throw (bug as { thrown: unknown }).thrown;
  if (end) return end;
  if (options.signal.aborted) return { kind: 'cancelled' };
  return { kind: 'done', totals: totalsOf([...confirmed.values()]), message };
}

function totalsOf(parts: readonly SentPart[]): Totals {
  return {
    processed: sumOf(parts, 'processed'),
    inserted: sumOf(parts, 'inserted'),
    updated: sumOf(parts, 'updated'),
    unchanged: sumOf(parts, 'unchanged'),
    rejected: sumOf(parts, 'rejected'),
  };
}

function sumOf(parts: Iterable<SentPart>, count: keyof Totals | 'rows'): number {
  let sum = 0;
  for (const part of parts) sum += part[count];
  return sum;
}
