/**
 * The requests of an import's worker to the shop's functions. Failures are values.
 *
 * A part's text goes packed by gzip, in base64 (`csvGzip`): about a tenth of the bytes. `Content-Encoding` would
 * save more, but hosts and proxies decode, reject or damage such bodies.
 */
import type { Answer } from '../domain/failure.ts';
import type { LeftOut } from '../domain/row-counts.ts';
import { type Fields, fieldsOf } from '../domain/fields.ts';
import { type HttpRequest, request } from './request.ts';

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

export interface UnfinishedImport {
  readonly importId: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** What the shop says of the products that a file with its whole range lacks. */
export interface RangeAnswer {
  /** How many go off sale, of how many that are on sale. */
  readonly leaving: number;
  readonly of: number;
  /** False where so many go off sale that the user must first say yes to exactly this number. */
  readonly isDone: boolean;
}

export interface ImportCalls {
  /** Sends a part. @param body by `bodyOf` */
  readonly upload: (token: string, body: Blob, signal: AbortSignal) => Promise<Answer<PartAnswer>>;
  /**
   * Asks for an import of a file that was begun and not finished. Null when this user has begun none, or somebody
   * has changed the catalogue since.
   *
   * @param fileDigest as the first part has named the file
   */
  readonly askUnfinished: (
    token: string,
    fileDigest: string,
    signal: AbortSignal,
  ) => Promise<Answer<UnfinishedImport | null>>;
  /**
   * Ends an import whose file is the whole range of the shop.
   *
   * @param confirmed the number to which the user has said yes; null before the shop has named one
   */
  readonly endRange: (
    token: string,
    importId: string,
    confirmed: number | null,
    signal: AbortSignal,
  ) => Promise<Answer<RangeAnswer>>;
}

/** A megabyte takes a minute on a slow connection. */
const UPLOAD_TIMEOUT_MS = 120_000;
const TIMEOUT_MS = 60_000;

/** @param origin the page's own origin, without a slash at its end */
export function importCalls(origin: string, fetch: typeof globalThis.fetch): ImportCalls {
  const call = <T>(
    name: string,
    given: Pick<HttpRequest<T>, 'token' | 'body' | 'signal' | 'timeoutMs'>,
    parse: (fields: Fields) => T | null,
  ) =>
    request({
      ...given,
      url: `${origin}/.netlify/functions/${name}`,
      parse: (answer) => parse(fieldsOf(answer)),
      fetch,
    });
  return {
    upload: (token, body, signal) =>
      call('upload-csv', { token, body, signal, timeoutMs: UPLOAD_TIMEOUT_MS }, parsePart),
    async askUnfinished(token, fileDigest, signal) {
      const given = { token, signal, timeoutMs: TIMEOUT_MS };
      const answer = await call(`imports?file=${fileDigest}`, given, parseUnfinished);
      return answer.ok ? { ok: true, value: answer.value.unfinished } : answer;
    },
    endRange(token, importId, confirmed, signal) {
      const body = JSON.stringify({ importId, confirmed });
      return call('end-import', { token, body, signal, timeoutMs: TIMEOUT_MS }, parseRange);
    },
  };
}

/** The body of a request. It is a Blob, because Chromium sends one four times faster than a string. */
export async function bodyOf({ csv, ...fields }: PartUpload): Promise<Blob> {
  return new Blob([JSON.stringify({ csvGzip: await packed(csv), ...fields })]);
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

function parsePart(fields: Fields): PartAnswer | null {
  const { message, processed_count: processed, rejected_count: rejected } = fields;
  const { inserted, updated, unchanged, off_sale: offSale } = fields;
  if (typeof message !== 'string' || !isCount(processed) || !isCount(rejected)) return null;
  if (!isCount(inserted) || !isCount(updated) || !isCount(unchanged)) return null;
  if (!isCount(offSale)) return null;
  return { message, processed, inserted, updated, unchanged, rejected, offSale };
}

function parseUnfinished(fields: Fields): { unfinished: UnfinishedImport | null } | null {
  if (typeof fields['may_import'] !== 'boolean') return null;
  const { import_id: importId, started_at: time } = fieldsOf(fields['unfinished']);
  const startedAt = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  const isKnown = typeof importId === 'string' && !Number.isNaN(startedAt);
  return { unfinished: isKnown ? { importId, startedAt } : null };
}

function parseRange({ leaving, of, done }: Fields): RangeAnswer | null {
  const isRead = typeof leaving === 'number' && typeof of === 'number';
  return isRead && typeof done === 'boolean' ? { leaving, of, isDone: done } : null;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
