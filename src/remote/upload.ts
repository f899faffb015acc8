/**
 * Sends the parts of an import to `upload-csv`, on the page's own origin. Failures are values.
 *
 * A part's text goes packed by gzip, in base64 (`csvGzip`), where the browser can pack: about a tenth of
 * the bytes. `Content-Encoding` would save more, but hosts and proxies decode, refuse or damage such bodies.
 */
import type { Answer, BackendFailure } from '../domain/failure.ts';
import type { LeftOut } from '../domain/row-counts.ts';
import { type Fields, fieldsOf } from '../domain/fields.ts';
import { request } from './request.ts';

/** One part of an import: a whole CSV of its own. */
export interface PartUpload {
  /** The CSV as the content of a JSON string: escaped, without the quotes around it, in UTF-8. */
  readonly csv: Uint8Array<ArrayBuffer>;
  /** UUID. The server counts a part of an import once, however often it arrives. */
  readonly importId: string;
  /** Number of the part, from 0. */
  readonly part: number;
  /** Null except in the last part, because the sender does not know the number before. */
  readonly totalParts: number | null;
  readonly fileName: string;
  /** By which an import of the same file is found again. */
  readonly fileDigest: string;
  readonly blankCellsClear: boolean;
  /** The rows of the file that no part holds; only in the first part. */
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

/** @param inTurn gets a function that sends the packed part, and calls it when it is the part's turn */
export type UploadPart = (
  token: string,
  upload: PartUpload,
  signal: AbortSignal,
  inTurn: (send: () => Promise<Answer<PartAnswer>>) => Promise<Answer<PartAnswer>>,
) => Promise<Answer<PartAnswer>>;

/** A megabyte takes a minute on a slow connection. */
const TIMEOUT_MS = 120_000;

/** Packs `PartUpload.csv` by gzip. Resolves to base64; rejects when it cannot. */
export type Pack = (csv: Uint8Array<ArrayBuffer>) => Promise<string>;

/**
 * The statuses with which a server or a proxy answers when it cannot read a packed part: 413 when it limits the
 * size of one value or of the unpacked text.
 */
const UNREADABLE = new Set([400, 413, 415]);

/**
 * When the server cannot read a packed part, this part and all later ones are sent plain. When packing a part
 * fails, only this part is sent plain, because the system may merely have frozen the tab meanwhile.
 *
 * @param origin the page's own origin, without a slash at its end
 */
export function uploader(
  origin: string,
  fetch: typeof globalThis.fetch,
  pack: Pack | null,
): UploadPart {
  let usedPack = pack;

  function send(token: string, body: Blob, signal: AbortSignal): Promise<Answer<PartAnswer>> {
    return request({
      url: `${origin}/.netlify/functions/upload-csv`,
      token,
      body,
      signal,
      timeoutMs: TIMEOUT_MS,
      parse: (answer) => parseAnswer(fieldsOf(answer)),
      fetch,
    });
  }

  return async (token, { csv, ...part }, signal, inTurn) => {
    const csvGzip = usedPack && (await usedPack(csv).catch(() => null));
    return inTurn(async () => {
      if (usedPack && csvGzip !== null) {
        const answer = await send(token, bodyOf('csvGzip', csvGzip, part), signal);
        if (answer.ok || !isUnreadable(answer.failure)) return answer;
      }
      const plainAnswer = await send(token, bodyOf('csv', csv, part), signal);
      // When the server refuses the plain form alike, it is the content that it refuses.
      if (csvGzip !== null && plainAnswer.ok) usedPack = null;
      return plainAnswer;
    });
  };
}

function isUnreadable(failure: BackendFailure): boolean {
  return failure.kind !== 'sign-in' && UNREADABLE.has(failure.status ?? 0);
}

/**
 * The JSON of a request, with `text`, which is escaped already, as its first field. It is a Blob, because
 * Chromium sends one four times faster than a string.
 */
function bodyOf(
  field: 'csv' | 'csvGzip',
  text: BlobPart,
  { totalParts, ...fields }: Omit<PartUpload, 'csv'>,
): Blob {
  const json = JSON.stringify(totalParts === null ? fields : { ...fields, totalParts });
  const jsonAfterBrace = json.slice(1);
  return new Blob([`{"${field}":"`, text, '",', jsonAfterBrace]);
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
