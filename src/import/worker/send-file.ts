/**
 * Sends a file part by part.
 *
 * The worker reads the file a second time, under the plan of its check, and cuts it into parts as it
 * reads; it pauses while `MOST_UNDER_WAY` parts are under way. Where the user has begun an import of the same
 * file before, the parts have the same numbers and content, and the server counts each once.
 */
import type { PartAnswer } from '../../remote/upload.ts';
import type { PageCallbacks, SendOutcome, Totals } from '../protocol.ts';
import { fileDigestOf, UnreadableFile } from './file-text.ts';
import { type Part, PartBuilder, type PartLimits } from './parts.ts';
import type { ImportPlan } from './plan.ts';
import { readRows } from './rows.ts';
import { type ThrottledProgress, throttleProgress } from './throttle-progress.ts';
import { openPartSender, type PartSender, type PartSenderOptions } from './upload-part.ts';

export interface SendOptions extends PartSenderOptions {
  readonly page: PageCallbacks;
  readonly now: () => number;
  readonly newId: () => string;
  readonly limits?: PartLimits | undefined;
  readonly sliceBytes?: number | undefined;
}

/**
 * The most parts that are being packed or sent at once. More than `upload-part.ts` sends at once, so that
 * sending never waits for packing.
 */
const MOST_UNDER_WAY = 5;

/** The server rejects a part that differs from the one that it has under the same number. */
const CONFLICT = 409;

/** A part that the shop has acknowledged, with its answer. */
type SentPart = Omit<PartAnswer, 'message'> & { readonly rows: number };

/** Sends a file, and continues where the user has begun an import of it before. */
export async function sendFile(
  file: File,
  plan: ImportPlan,
  options: SendOptions,
): Promise<SendOutcome> {
  try {
    const fileDigest = await fileDigestOf(file, plan, options.signal);
    const asked = await openPartSender(options).askUnfinished(fileDigest);
    if (asked.kind !== 'answered') return asked;
    const unfinished = asked.answer;
    const send = (importId: string) =>
      new FileSender(file, plan, { importId, fileDigest }, options).run();
    if (!unfinished) return await send(options.newId());
    options.page.continuing(unfinished.startedAt);
    const outcome = await send(unfinished.importId);
    // A build of the shop that cuts the file differently has begun that import.
    const isOther = outcome.kind === 'rejected' && outcome.status === CONFLICT;
    return isOther ? await send(options.newId()) : outcome;
  } catch (thrown) {
    if (thrown instanceof UnreadableFile) return { kind: 'failed', message: thrown.message };
    if (options.signal.aborted) return { kind: 'cancelled' };
    throw thrown;
  }
}

/** Sends the parts of one file. */
class FileSender {
  readonly #file: File;
  readonly #plan: ImportPlan;
  readonly #about: { readonly importId: string; readonly fileDigest: string };
  readonly #options: SendOptions;
  readonly #stopping = new AbortController();
  readonly #signal: AbortSignal;
  readonly #sender: PartSender;
  readonly #progress: ThrottledProgress;
  /** The parts that the shop has acknowledged, by number. */
  readonly #acknowledged = new Map<number, SentPart>();
  /** Parts that have been read, and wait to be sent. */
  readonly #ready: Part[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #bytesRead = 0;
  /** Null until the file has been read to its end. */
  #totalParts: number | null = null;
  /** The server's own sentence, for an import of one part. */
  #message: string | null = null;
  /** Why the sending stopped early. */
  #failure: SendOutcome | null = null;
  #bug: { readonly thrown: unknown } | null = null;

  constructor(
    file: File,
    plan: ImportPlan,
    about: { readonly importId: string; readonly fileDigest: string },
    options: SendOptions,
  ) {
    this.#file = file;
    this.#plan = plan;
    this.#about = about;
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, this.#stopping.signal]);
    this.#sender = openPartSender({ ...options, signal: this.#signal });
    this.#progress = throttleProgress(options.now, (progress) => options.page.progress(progress));
  }

  /** Call it once. A bug is thrown after the parts under way have ended. */
  async run(): Promise<SendOutcome> {
    try {
      await this.#readAndSend();
    } catch (thrown) {
      if (thrown instanceof UnreadableFile) this.#fail(thrown.message);
      else if (!this.#signal.aborted) this.#stopForBug(thrown);
    }
    await Promise.all(this.#underWay);
    this.#progress.finish();
    if (this.#bug) throw this.#bug.thrown;
    if (this.#failure) return this.#failure;
    // A Cancel after the last answer has stopped nothing.
    const isWhole = this.#acknowledged.size === this.#totalParts;
    if (this.#options.signal.aborted && !isWhole) return { kind: 'cancelled' };
    const totals = totalsOf([...this.#acknowledged.values()]);
    return { kind: 'done', totals, message: this.#message };
  }

  /** Resolves when the shop has answered every part. */
  async #readAndSend(): Promise<void> {
    const { limits, sliceBytes } = this.#options;
    const builder = new PartBuilder(this.#plan, (part) => this.#ready.push(part), limits);
    const { fault } = await readRows(this.#file, this.#plan, {
      isConfirmed: true, // a part that is sent cannot be taken back
      signal: this.#signal,
      sliceBytes,
      take: (validated, _cells, _line, row) => builder.add(validated, row),
      needsCells: false,
      afterSlice: (bytes) => {
        this.#bytesRead = bytes;
        this.#reportProgress();
        return this.#sendReady();
      },
    });
    if (fault) this.#fail(fault.sentence);
    else builder.end();
    await this.#sendReady();
    await Promise.all(this.#underWay);
  }

  async #sendReady(): Promise<void> {
    for (const part of this.#ready.splice(0)) {
      if (part.isLast) this.#totalParts = part.part + 1;
      while (this.#underWay.size >= MOST_UNDER_WAY) await Promise.race(this.#underWay);
      if (this.#signal.aborted) return;
      const delivery = this.#deliver(part)
        .catch((thrown: unknown) => this.#stopForBug(thrown))
        .finally(() => this.#underWay.delete(delivery));
      this.#underWay.add(delivery);
    }
  }

  async #deliver({ part, csv, rows, isLast }: Part): Promise<void> {
    const { leftOut, blankCellsClear } = this.#plan;
    const { importId, fileDigest } = this.#about;
    const outcome = await this.#sender.send({
      csv,
      importId,
      part,
      totalParts: isLast ? part + 1 : null,
      fileName: this.#file.name,
      blankCellsClear,
      fileDigest,
      ...(part === 0 ? { leftOut } : {}),
    });
    if (outcome.kind !== 'answered') {
      this.#stopWith(outcome);
      return;
    }
    const { message, ...counts } = outcome.answer;
    this.#acknowledged.set(part, { ...counts, rows });
    if (part === 0 && isLast) this.#message = message;
    this.#reportProgress();
  }

  #reportProgress(): void {
    const rows = sumOf([...this.#acknowledged.values()], 'rows');
    const totalRows = this.#plan.rowsTotal;
    this.#progress.set({ rows, totalRows, bytes: this.#bytesRead, totalBytes: this.#file.size });
  }

  #fail(message: string): void {
    this.#stopWith({ kind: 'failed', message });
  }

  #stopWith(failure: SendOutcome): void {
    this.#failure ??= failure;
    this.#stopping.abort();
  }

  #stopForBug(thrown: unknown): void {
    this.#bug ??= { thrown };
    this.#stopping.abort();
  }
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

function sumOf(parts: readonly SentPart[], count: keyof Totals | 'rows'): number {
  return parts.reduce((sum, part) => sum + part[count], 0);
}
