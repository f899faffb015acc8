/**
 * Sends a file part by part.
 *
 * The worker reads the file a second time, under the plan of its check, and cuts it into parts as it
 * reads; it pauses while `MOST_UNDER_WAY` parts are under way. It stores on the device which parts the
 * shop has acknowledged, so an import can continue after a killed tab: the parts come out the same, and
 * the worker does not send the acknowledged ones again, unless the shop has lost them.
 */
import { type ImportJob, leftOutOf, type SentPart } from '../../db/import-jobs.ts';
import { type ThrottledProgress, throttleProgress } from './throttle-progress.ts';
import { UnreadableFile } from './file-text.ts';
import { type Part, PartBuilder, type PartLimits } from './parts.ts';
import type { PageCallbacks, SendOutcome, Totals } from '../protocol.ts';
import { readRows } from './rows.ts';
import { hashOfBytes } from './text-hash.ts';
import { openPartSender, type PartSender, type PartSenderOptions } from './upload-part.ts';

export interface SendOptions extends PartSenderOptions {
  readonly page: PageCallbacks;
  readonly now: () => number;
  /** Stores that the shop has acknowledged a part. Never fails. */
  readonly keepPart: (part: SentPart) => Promise<void>;
  readonly limits?: PartLimits | undefined;
  readonly sliceBytes?: number | undefined;
}

/**
 * The most parts that are being packed or sent at once. More than `upload-part.ts` sends at once, so that
 * sending never waits for packing.
 */
const MOST_UNDER_WAY = 5;

export const OTHER_CONTENT =
  'The file is not what it was when this import began. Choose it as a new file: rows that are ' +
  'stored already stay as they are.';

/** Sends the parts of one file that the shop has not acknowledged yet. */
export class FileSender {
  readonly #file: Blob;
  readonly #job: ImportJob;
  readonly #options: SendOptions;
  readonly #stopping = new AbortController();
  readonly #signal: AbortSignal;
  readonly #sender: PartSender;
  readonly #isResumed: boolean;
  readonly #progress: ThrottledProgress;
  /** The parts that the shop has acknowledged, by number. */
  readonly #acknowledged: Map<number, SentPart>;
  /** Parts that have been read, and wait to be sent. */
  readonly #ready: Part[] = [];
  readonly #underWay = new Set<Promise<void>>();
  /** Calls of `keepPart`. Awaited only at the end: a part that is not stored as acknowledged is sent again. */
  readonly #writes: Promise<void>[] = [];
  #bytesRead = 0;
  /** Null until the file has been read to its end. */
  #totalParts: number | null = null;
  /** The server's own sentence, for an import of one part. */
  #message: string | null = null;
  /** Why the sending stopped early. */
  #failure: SendOutcome | null = null;
  #bug: { readonly thrown: unknown } | null = null;

  /** @param sent the parts that the shop has acknowledged before */
  constructor(file: Blob, job: ImportJob, sent: readonly SentPart[], options: SendOptions) {
    this.#file = file;
    this.#job = job;
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, this.#stopping.signal]);
    this.#sender = openPartSender({ ...options, signal: this.#signal });
    this.#isResumed = sent.length > 0;
    this.#progress = throttleProgress(options.now, (progress) => options.page.progress(progress));
    this.#acknowledged = new Map(sent.map((part) => [part.part, part]));
  }

  /** Call it once. A bug is thrown after the parts under way have ended. */
  async run(): Promise<SendOutcome> {
    try {
      await this.#readAndSend();
      if (await this.#hasShopLostParts()) {
        this.#acknowledged.clear();
        await this.#readAndSend();
      }
    } catch (thrown) {
      if (thrown instanceof UnreadableFile) this.#fail(thrown.message);
      else if (!this.#signal.aborted) this.#stopForBug(thrown);
    }
    await Promise.all(this.#underWay);
    await Promise.all(this.#writes);
    this.#progress.finish();
    if (this.#bug) throw this.#bug.thrown;
    if (this.#failure) return this.#failure;
    // A Cancel after the last answer has stopped nothing.
    if (this.#options.signal.aborted && !this.#isWhole) return { kind: 'cancelled' };
    const totals = totalsOf([...this.#acknowledged.values()]);
    return { kind: 'done', totals, message: this.#message };
  }

  get #isWhole(): boolean {
    return this.#acknowledged.size === this.#totalParts;
  }

  /**
   * Asks the shop whether a resumed import has ended. A shop whose database was restored from a backup lacks
   * parts that it had acknowledged before. It does not list an import that has changed nothing.
   */
  async #hasShopLostParts(): Promise<boolean> {
    const { inserted, updated } = totalsOf([...this.#acknowledged.values()]);
    if (!this.#isResumed || !this.#isWhole || inserted + updated === 0) return false;
    const outcome = await this.#sender.askFinished(this.#job.importId);
    if (outcome.kind === 'answered') return !outcome.answer;
    this.#stopWith(outcome);
    return false;
  }

  /** Resolves when the shop has answered every part. */
  async #readAndSend(): Promise<void> {
    const { plan } = this.#job;
    const { limits, sliceBytes } = this.#options;
    const builder = new PartBuilder(plan, (part) => this.#ready.push(part), limits);
    const { fault } = await readRows(this.#file, plan, {
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
      const hash = hashOfBytes(part.csv);
      const earlier = this.#acknowledged.get(part.part);
      if (earlier && earlier.hash !== hash) this.#fail(OTHER_CONTENT);
      while (this.#underWay.size >= MOST_UNDER_WAY) await Promise.race(this.#underWay);
      if (this.#signal.aborted) return;
      if (earlier) continue;
      const delivery = this.#deliver(part, hash)
        .catch((thrown: unknown) => this.#stopForBug(thrown))
        .finally(() => this.#underWay.delete(delivery));
      this.#underWay.add(delivery);
    }
  }

  async #deliver({ part, csv, rows, isLast }: Part, hash: number): Promise<void> {
    const { importId, fileName, plan } = this.#job;
    const totalParts = isLast ? part + 1 : null;
    const leftOut = part === 0 ? { leftOut: leftOutOf(plan) } : {};
    const content = { csv, fileName, blankCellsClear: plan.blankCellsClear, ...leftOut };
    const outcome = await this.#sender.send({ ...content, importId, part, totalParts });
    if (outcome.kind !== 'answered') {
      this.#stopWith(outcome);
      return;
    }
    const { message, ...counts } = outcome.answer;
    const sentPart: SentPart = { importId, part, hash, rows, ...counts };
    this.#writes.push(this.#options.keepPart(sentPart));
    this.#acknowledged.set(part, sentPart);
    if (part === 0 && isLast) this.#message = message;
    this.#reportProgress();
  }

  #reportProgress(): void {
    const rows = sumOf(this.#acknowledged.values(), 'rows');
    const totalRows = this.#job.plan.rowsTotal;
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

function sumOf(parts: Iterable<SentPart>, count: keyof Totals | 'rows'): number {
  let sum = 0;
  for (const part of parts) sum += part[count];
  return sum;
}
