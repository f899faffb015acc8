/** The worker's functions, with time, chance and everything outside as arguments. */
import type { WeftDatabase } from '../../db/database.ts';
import type { ProductRow } from '../../domain/product.ts';
import { checkFile, type CheckOptions, type Checked } from './check.ts';
import {
  exportCatalogue,
  type Extent,
  keyTextOf,
  readProducts,
  valuesOf,
} from './device-catalogue.ts';
import { sha256, UnreadableFile } from './file-text.ts';
import type { CheckOutcome, Choice, ImportWorker, Progress } from '../protocol.ts';
import { withKeys } from './parts.ts';
import { judgeCells, rejectedRowsOf } from './rejected-rows.ts';
import { reportOf } from './report.ts';
import { sendParts, type SendTools } from './send.ts';

export interface ImporterTools extends SendTools, Pick<CheckOptions, 'sliceBytes' | 'limits'> {
  /** Runs a task on the catalogue on this device; false when it could not be opened or read. */
  readonly withCatalogue: (task: (db: WeftDatabase) => Promise<void>) => Promise<boolean>;
}

export function openImporter(tools: ImporterTools): ImportWorker {
  const { sliceBytes, limits } = tools;
  let running = new AbortController();
  /** The file of the last check, and what the check has read of it. */
  let last: (Extract<Checked, { readonly kind: 'checked' }> & { readonly file: File }) | null =
    null;

  /** Aborts the check or import that is running, and returns the signal for the next. */
  function abortRunning(): AbortSignal {
    running.abort();
    running = new AbortController();
    return running.signal;
  }

  async function readStored(signal: AbortSignal) {
    const stored = new Map<string, ProductRow>();
    let extent: Extent = 'none';
    const isRead = await tools.withCatalogue(async (db) => {
      extent = await readProducts(db, (row) => {
        signal.throwIfAborted();
        stored.set(keyTextOf(valuesOf(row)), row);
      });
    });
    if (isRead) return { stored, extent };
    // A catalogue that was read in part counts as none.
    return { stored: new Map<string, ProductRow>(), extent: 'none' as const };
  }

  async function check(
    file: File,
    choice: Choice,
    onProgress: (progress: Progress) => void,
  ): Promise<CheckOutcome> {
    const signal = abortRunning();
    last = null;
    const totalBytes = file.size;
    try {
      const checked = await checkFile(file, choice, {
        ...(await readStored(signal)),
        signal,
        sliceBytes,
        limits,
        onProgress: (rows, bytes) => onProgress({ rows, totalRows: null, bytes, totalBytes }),
      });
      signal.throwIfAborted(); // it may be aborted after the last slice
      if (checked.kind !== 'checked') return checked;
      last = { ...checked, file };
      return { kind: 'checked', check: checked.check };
    } catch (thrown) {
      if (signal.aborted) return { kind: 'cancelled' };
      if (!(thrown instanceof UnreadableFile)) throw thrown;
      return { kind: 'fault', fault: { sentence: thrown.message, line: null } };
    }
  }

  /** @throws when no file can be read for a report, as after a check that found a fault */
  function lastFile() {
    if (!last) throw new Error('Check the file again first.');
    return last;
  }

  return {
    check,

    async send(page, isRange = false) {
      const signal = abortRunning();
      if (!last) return { kind: 'failed', message: 'Choose the file again.' };
      const { check: found, plan, aside, ...read } = last;
      const { replaced, rejected, skipped } = found;
      // With `isRange`, so that an import of the whole range does not continue another import of the same file.
      const text = new TextEncoder().encode(`${read.fileDigest} ${isRange}`);
      const fileDigest = await sha256(text);
      const leftOut = { replaced, rejected, skipped };
      const { blankCellsClear } = plan;
      const keys = { ...aside, kept: isRange ? aside.kept : [] };
      const parts = withKeys(read.parts, keys, limits);
      return sendParts(
        { ...read, parts, fileDigest, blankCellsClear, leftOut, isRange },
        page,
        signal,
        tools,
      );
    },

    cancel: () => running.abort(),

    async report() {
      const { file, plan, replacedRows } = lastFile();
      return reportOf(file, plan, replacedRows, sliceBytes);
    },

    async rejectedRows() {
      const { file, plan } = lastFile();
      return rejectedRowsOf(file, plan, sliceBytes);
    },
    judge: async (cells) => judgeCells(cells, lastFile().plan),

    async exportCatalogue() {
      let csv: Blob | null = null;
      const isRead = await tools.withCatalogue(async (db) => {
        csv = await exportCatalogue(db);
      });
      if (!isRead || !csv) throw new Error('We can’t read the catalogue on this device.');
      return csv;
    },
  };
}
