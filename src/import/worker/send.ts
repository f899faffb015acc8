/**
 * Sends what the check has read, part by part, three at once. Where the user has begun an import of the same file
 * before, the parts have the same numbers and content, and the server counts each once.
 */
import type { LeftOut } from '../../domain/row-counts.ts';
import { bodyOf, type ImportCalls, type PartAnswer } from '../../remote/import-calls.ts';
import type { PageCallbacks, Progress, SendOutcome, Totals } from '../protocol.ts';
import type { Part } from './parts.ts';
import { openRequests, type RequestTools } from './requests.ts';

export interface SendTools extends RequestTools, ImportCalls {
  readonly newId: () => string;
}

/** What is sent of a file. */
export interface Sendable {
  readonly file: File;
  /** Equal digests mean equal parts. */
  readonly fileDigest: string;
  readonly parts: readonly Part[];
  readonly blankCellsClear: boolean;
  readonly leftOut: LeftOut;
  /** Whether the file is the whole range of the shop: products that it lacks go off sale. */
  readonly isRange: boolean;
}

/** How many parts are packed or sent at once. */
const LANES = 3;

/** The server rejects a part that differs from the one that it has under the same number. */
const CONFLICT = 409;

/** Sends the parts, as a new import or as the rest of one that the user has begun with the same file. */
export async function sendParts(
  sendable: Sendable,
  page: PageCallbacks,
  signal: AbortSignal,
  tools: SendTools,
): Promise<SendOutcome> {
  const ask = openRequests(page, signal, tools);
  const asked = await ask((token) => tools.askUnfinished(token, sendable.fileDigest, signal));
  if (asked.kind !== 'answered') return asked;
  const unfinished = asked.answer;
  const send = (importId: string) => sendAll(sendable, importId, page, signal, tools);
  if (!unfinished) return send(tools.newId());
  page.continuing(unfinished.startedAt);
  const outcome = await send(unfinished.importId);
  // Another build of the shop, which reads or cuts files in another way, has begun that import.
  const isOther = outcome.kind === 'rejected' && outcome.status === CONFLICT;
  return isOther ? send(tools.newId()) : outcome;
}

async function sendAll(
  { file, fileDigest, parts, blankCellsClear, leftOut, isRange }: Sendable,
  importId: string,
  page: PageCallbacks,
  callerSignal: AbortSignal,
  { upload, endRange, ...tools }: SendTools,
): Promise<SendOutcome> {
  const stopping = new AbortController();
  const signal = AbortSignal.any([callerSignal, stopping.signal]);
  const ask = openRequests(page, signal, tools);
  const answers: PartAnswer[] = [];
  const totalRows = parts.reduce((sum, { rows }) => sum + rows, 0);
  const progress: Progress = { rows: 0, totalRows, bytes: file.size, totalBytes: file.size };
  page.progress(progress);
  let rowsStored = 0;
  const waiting = [...parts];
  let failure: SendOutcome | null = null;

  async function send({ part, rows, csv, aside }: Part): Promise<void> {
    const body = await bodyOf({
      csv: csv(),
      importId,
      part,
      totalParts: parts.length,
      fileName: file.name,
      fileDigest,
      blankCellsClear,
      isRange,
      ...(part === 0 ? { leftOut } : {}),
      ...aside,
    });
    const outcome = await ask((token) => upload(token, body, signal));
    if (outcome.kind === 'answered') {
      answers.push(outcome.answer);
      rowsStored += rows;
      page.progress({ ...progress, rows: rowsStored });
    } else {
      failure ??= outcome;
      stopping.abort();
    }
  }

  /** Sends one part after the other until none is left. */
  async function runLane(): Promise<void> {
    try {
      for (let part = waiting.shift(); part && !signal.aborted; part = waiting.shift()) {
        await send(part);
      }
    } catch (bug) {
      stopping.abort();
      throw bug;
    }
  }

  const lanes = Array.from({ length: LANES }, runLane);
  await Promise.allSettled(lanes); // a bug is thrown after the parts under way have ended
  await Promise.all(lanes);
  if (failure) return failure;
  // A Cancel after the last answer came too late.
  if (answers.length < parts.length) return { kind: 'cancelled' };
  let offSale = answers.reduce((sum, answer) => sum + answer.offSale, 0);
  if (isRange) {
    const end = (confirmed: number | null) =>
      ask((token) => endRange(token, importId, confirmed, signal));
    let ended = await end(null);
    // The server ends the import only if the number is still the one that the user has confirmed.
    while (ended.kind === 'answered' && !ended.answer.isDone) {
      const { leaving, of } = ended.answer;
      if (!(await page.confirmRange(leaving, of))) break;
      ended = await end(leaving);
    }
    if (ended.kind !== 'answered') return ended;
    if (ended.answer.isDone) offSale += ended.answer.leaving;
  }
  const message = parts.length === 1 ? (answers[0]?.message ?? null) : null;
  return { kind: 'done', totals: totalsOf(answers), message, offSale };
}

function totalsOf(answers: readonly PartAnswer[]): Totals {
  const sumOf = (count: keyof Totals) => answers.reduce((sum, answer) => sum + answer[count], 0);
  return {
    processed: sumOf('processed'),
    inserted: sumOf('inserted'),
    updated: sumOf('updated'),
    unchanged: sumOf('unchanged'),
    rejected: sumOf('rejected'),
  };
}
