/** Sends the parts of an import to `upload-csv`, on the page's own origin. Failures are values. */
import type { Answer } from '../domain/failure.ts';
import type { LeftOut } from '../domain/row-counts.ts';
import { type Fields, fieldsOf } from '../domain/fields.ts';
import { request } from './request.ts';

/** One part of an import: a whole CSV of its own. */
export interface PartUpload {
  /** The inside of a JSON string, in UTF-8. */
  readonly csv: Uint8Array<ArrayBuffer>;
  /** UUID. The server counts a part of an import once, however often it arrives. */
  readonly importId: string;
  /** From 0. */
  readonly part: number;
  /** Only the last part has it, because only then does the sender know it. */
  readonly totalParts: number | null;
  readonly fileName: string;
  readonly blankCellsClear: boolean;
  /** The rows of the file that no part holds; the first part has it. */
  readonly leftOut?: LeftOut;
}

export interface PartAnswer {
  readonly message: string;
  readonly processed: number;
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
}

export type UploadPart = (
  token: string,
  upload: PartUpload,
  signal: AbortSignal,
) => Promise<Answer<PartAnswer>>;

/** A megabyte takes a minute on a slow connection. */
const TIMEOUT_MS = 120_000;

/** @param origin the page's own origin, without a slash at its end */
export function uploader(origin: string, fetch: typeof globalThis.fetch): UploadPart {
  return (token, part, signal) =>
    request({
      url: `${origin}/.netlify/functions/upload-csv`,
      token,
      body: bodyOf(part),
      signal,
      timeoutMs: TIMEOUT_MS,
      parse: (answer) => parseAnswer(fieldsOf(answer)),
      fetch,
    });
}

/** Not a string: Chromium hands a Blob to the network four times faster. */
function bodyOf({ csv, totalParts, ...rest }: PartUpload): Blob {
  const fields = JSON.stringify(totalParts === null ? rest : { ...rest, totalParts });
  return new Blob(['{"csv":"', csv, '",', fields.slice(1)]);
}

function parseAnswer(fields: Fields): PartAnswer | null {
  const { message, processed_count: processed, rejected_count: rejected } = fields;
  const { inserted, updated, unchanged } = fields;
  if (typeof message !== 'string' || !isCount(processed) || !isCount(rejected)) return null;
  if (!isCount(inserted) || !isCount(updated) || !isCount(unchanged)) return null;
  return { message, processed, inserted, updated, unchanged, rejected };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
