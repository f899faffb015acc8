/**
 * Sends the parts of an import to `upload-csv`, on the page's own origin. Failures are values.
 *
 * A part's text goes packed by gzip, in base64 (`csvGzip`), where the browser can pack: about a tenth of
 * the bytes. `Content-Encoding` would save more, but hosts and proxies decode, reject or damage such bodies.
 */
import type { Answer } from '../domain/failure.ts';
import type { LeftOut } from '../domain/row-counts.ts';
import { type Fields, fieldsOf } from '../domain/fields.ts';
import { request } from './request.ts';

/** The keys of rows that no part holds. */
export interface KeysAside {
  /** Of rows that keep their products on sale; a size of null means all sizes. */
  readonly kept: readonly (readonly [skc: string, size: string | null])[];
  /** Of products that the file says are not on sale. */
  readonly hidden: readonly (readonly [skc: string, size: string])[];
}

/** One part of an import: a whole CSV of its own. */
export interface PartUpload extends Partial<KeysAside> {
  readonly csv: string;
  /** UUID. The server counts a part of an import once, however often it arrives. */
  readonly importId: string;
  /** Number of the part, from 0. */
  readonly part: number;
  readonly totalParts: number;
  readonly fileName: string;
  /** By which an import of the same file is found again. */
  readonly fileDigest: string;
  readonly blankCellsClear: boolean;
  /** Whether the file is the whole range of the shop. */
  readonly isRange: boolean;
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
  /** How many products the part has taken off sale. */
  readonly offSale: number;
}

/** @param body by `bodyOf` */
export type UploadPart = (
  token: string,
  body: Blob,
  signal: AbortSignal,
) => Promise<Answer<PartAnswer>>;

/** A megabyte takes a minute on a slow connection. */
const TIMEOUT_MS = 120_000;

/** @param origin the page's own origin, without a slash at its end */
export function uploader(origin: string, fetch: typeof globalThis.fetch): UploadPart {
  return (token, body, signal) =>
    request({
      url: `${origin}/.netlify/functions/upload-csv`,
      token,
      body,
      signal,
      timeoutMs: TIMEOUT_MS,
      parse: (answer) => parseAnswer(fieldsOf(answer)),
      fetch,
    });
}

/** The body of a request. It is a Blob, because Chromium sends one four times faster than a string. */
export async function bodyOf({ csv, ...fields }: PartUpload): Promise<Blob> {
  const canPack = 'CompressionStream' in globalThis;
  const content = canPack ? { csvGzip: await packed(csv), ...fields } : { csv, ...fields };
  return new Blob([JSON.stringify(content)]);
}

/** Packs a text by gzip, and returns it in base64. */
async function packed(text: string): Promise<string> {
  const gzip = new CompressionStream('gzip');
  // Writes the text itself: the stream of a Blob would send each byte to the browser's process and back.
  const writer = gzip.writable.getWriter();
  const writing = Promise.all([writer.write(new TextEncoder().encode(text)), writer.close()]);
  const [bytes] = await Promise.all([new Response(gzip.readable).arrayBuffer(), writing]);
  return base64Of(new Uint8Array(bytes));
}

/** Every browser takes this many arguments in one call. */
const MOST_ARGUMENTS = 0x8000;

/** `Uint8Array.prototype.toBase64` is missing in browsers of 2025. */
function base64Of(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += MOST_ARGUMENTS) {
    // Spreading the bytes into arguments (`...`) takes ten times as long.
    binary += Reflect.apply(String.fromCharCode, null, bytes.subarray(at, at + MOST_ARGUMENTS));
  }
  return btoa(binary);
}

function parseAnswer(fields: Fields): PartAnswer | null {
  const { message, processed_count: processed, rejected_count: rejected } = fields;
  const { inserted, updated, unchanged, off_sale: offSale } = fields;
  if (typeof message !== 'string' || !isCount(processed) || !isCount(rejected)) return null;
  if (!isCount(inserted) || !isCount(updated) || !isCount(unchanged)) return null;
  if (!isCount(offSale)) return null;
  return { message, processed, inserted, updated, unchanged, rejected, offSale };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
