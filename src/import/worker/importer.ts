/** The worker's functions, with time, chance and everything outside as arguments. */
import type { WeftDatabase } from '../../db/database.ts';
import { throttleProgress } from './throttle-progress.ts';
import { checkFile } from './check.ts';
import {
  type Extent,
  keyTextOf,
  readProducts,
  type StoredValues,
  valuesOf,
} from './device-catalogue.ts';
import { exportCatalogue } from './export.ts';
import { fileKindOf } from './file-kind.ts';
import { readStart, UnreadableFile } from './file-text.ts';
import type { CheckOutcome, Choice, ImportWorker, Progress } from '../protocol.ts';
import { judgeCells, mendedFileOf, refusedRowsOf } from './refused-rows.ts';
import { reportOf } from './report.ts';
import type { ImportPlan } from './plan.ts';
import { sendFile, type SendOptions } from './send-file.ts';
import { StoredProducts } from './stored-products.ts';

export interface ImporterTools extends Omit<SendOptions, 'page' | 'signal'> {
  /** Runs a task on the catalogue on this device; false when it could not be opened or read. */
  readonly withCatalogue: (task: (db: WeftDatabase) => Promise<void>) => Promise<boolean>;
}

/** How many characters of a file the page shows so that the user can choose an encoding. */
const PEEK_CHARS = 2000;

export function openImporter(tools: ImporterTools): ImportWorker {
  const { sliceBytes } = tools;
  let running = new AbortController();
  /** The file of the last check, for sending, for the report and for mending its refused rows. */
  let checkedFile: { readonly file: File; readonly plan: ImportPlan } | null = null;

  /** Aborts the check or import that is running, and returns the signal for the next. */
  function abortRunning(): AbortSignal {
    running.abort();
    running = new AbortController();
    return running.signal;
  }

  async function readStored(signal: AbortSignal) {
    const stored = new StoredProducts();
    let extent: Extent = 'none';
    const isRead = await tools.withCatalogue(async (db) => {
      extent = await readProducts(db, (row) => {
        signal.throwIfAborted();
        stored.add(row);
      });
    });
    return isRead ? { stored, extent } : { stored: new StoredProducts(), extent: 'none' as const };
  }

  async function valuesOfProducts(keys: ReadonlySet<string>): Promise<StoredValues> {
    const stored = new Map<string, readonly string[]>();
    await tools.withCatalogue(async (db) => {
      await readProducts(db, (row) => {
        const [, skc, size] = row;
        const key = keyTextOf([skc, size]);
        if (keys.has(key)) stored.set(key, valuesOf(row));
      });
    });
    return stored;
  }

  async function check(
    file: File,
    choice: Choice,
    onProgress: (progress: Progress) => void,
  ): Promise<CheckOutcome> {
    const signal = abortRunning();
    checkedFile = null;
    const progress = throttleProgress(tools.now, onProgress);
    const totalBytes = file.size;
    try {
      const checked = await checkFile(file, choice, {
        ...(await readStored(signal)),
        valuesOf: valuesOfProducts,
        signal,
        sliceBytes,
        onProgress: (rows, bytes) => progress.set({ rows, totalRows: null, bytes, totalBytes }),
      });
      signal.throwIfAborted(); // `checkFile` reads the products of the preview without the signal
      progress.finish();
      if (checked.kind !== 'checked') return checked;
      checkedFile = { file, plan: checked.plan };
      return { kind: 'checked', check: checked.check };
    } catch (thrown) {
      if (signal.aborted) return { kind: 'cancelled' };
      if (!(thrown instanceof UnreadableFile)) throw thrown;
      return { kind: 'fault', fault: { sentence: thrown.message, line: null } };
    }
  }

  /** @throws when no file can be read for a report, as after a check that found a fault */
  function lastFile() {
    if (!checkedFile) throw new Error('Check the file again first.');
    return checkedFile;
  }

  return {
    check,

    async send(page) {
      const signal = abortRunning();
      if (!checkedFile) return { kind: 'failed', message: 'Choose the file again.' };
      const { file, plan } = checkedFile;
      return sendFile(file, plan, { ...tools, page, signal });
    },

    cancel: () => running.abort(),

    async report() {
      const { file, plan } = lastFile();
      return reportOf(file, plan, { sliceBytes });
    },

    async refusedRows() {
      const { file, plan } = lastFile();
      return refusedRowsOf(file, plan, sliceBytes);
    },
    judge: async (cells) => judgeCells(cells, lastFile().plan),
    async mendedFile(mended) {
      const { file, plan } = lastFile();
      return mendedFileOf(mended, file, plan, sliceBytes);
    },

    async peek(file, encoding) {
      const kind = await fileKindOf(file, encoding);
      if (kind.kind === 'not-csv') return '';
      const head = file.slice(0, 4 * PEEK_CHARS); // at most four bytes a character
      const start = await readStart(head, PEEK_CHARS, { encoding });
      return start.slice(0, PEEK_CHARS);
    },

    async exportCatalogue() {
      let csv: Blob | null = null;
      const isRead = await tools.withCatalogue(async (db) => {
        csv = await exportCatalogue(db);
      });
      if (!isRead || !csv) throw new Error('The catalogue on this device cannot be read.');
      return csv;
    },
  };
}
