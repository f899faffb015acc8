/** Sending the parts of an import to `upload-csv`, on the page's own origin. Failures are values. */

/** One part of an import: a whole CSV of its own. */
export interface PartUpload {
  /** The inside of a JSON string, in UTF-8. */
  readonly csv: Uint8Array<ArrayBuffer>;
  /** UUID. A part of an import counts once, however often it arrives. */
  readonly importId: string;
  /** From 0. */
  readonly part: number;
  /** Goes with the last part, which is when it is known. */
  readonly totalParts: number | null;
  readonly fileName: string;
  readonly blankCellsClear: boolean;
}

export interface PartAnswer {
  readonly message: string;
  readonly processed: number;
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
}

/**
 * Why a part is not known to be stored.
 *
 * - `offline`  no answer came, or one that is not the shop's own, such as a captive portal's page
 * - `refused`  the shop said no; `message` is its `error`, null where it gave none
 */
export type UploadFailure =
  | { readonly kind: 'offline' }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly message: string | null;
      /** How long it asks to be left alone, at least. */
      readonly retryAfterMs: number;
    };

export type UploadAnswer =
  | { readonly ok: true; readonly value: PartAnswer }
  | { readonly ok: false; readonly failure: UploadFailure };

export type UploadPart = (
  token: string,
  upload: PartUpload,
  signal: AbortSignal,
) => Promise<UploadAnswer>;

/** A megabyte takes a minute on a thin line. */
const TIMEOUT_MS = 120_000;

/** @param origin where the page comes from, without a slash at its end */
export function uploader(origin: string, fetch: typeof globalThis.fetch): UploadPart {
  return async (token, part, signal) => {
    try {
      const response = await fetch(`${origin}/.netlify/functions/upload-csv`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: bodyOf(part),
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      const fields = await fieldsOf(response);
      const value = fields && response.ok ? parseAnswer(fields) : null;
      return value ? { ok: true, value } : { ok: false, failure: failureOf(response, fields) };
    } catch {
      // No network, cut off, given up, or JSON that broke off.
      return { ok: false, failure: { kind: 'offline' } };
    }
  };
}

/** Not a string: Chromium hands a Blob to the network four times faster. */
function bodyOf({ csv, totalParts, ...rest }: PartUpload): Blob {
  const fields = JSON.stringify(totalParts === null ? rest : { ...rest, totalParts });
  return new Blob(['{"csv":"', csv, '",', fields.slice(1)]);
}

type Fields = Readonly<Record<string, unknown>>;

/** The answer's object; null for what is not the shop's own. Throws when it breaks off. */
async function fieldsOf(response: Response): Promise<Fields | null> {
  const type = response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    await response.body?.cancel();
    return null;
  }
  const value: unknown = await response.json();
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Fields) : null; // any object may be read by name
}

/** Proxy login, request timeout, too early, too many requests: of whoever stands in between. */
const PASSING = new Set([407, 408, 425, 429]);

function failureOf({ status, headers }: Response, fields: Fields | null): UploadFailure {
  if (!fields && (status < 400 || status >= 500 || PASSING.has(status))) return { kind: 'offline' };
  const message = fields?.['error'];
  const seconds = Number(headers.get('retry-after'));
  return {
    kind: 'refused',
    status,
    message: typeof message === 'string' && message !== '' ? message : null,
    retryAfterMs: seconds > 0 ? seconds * 1000 : 0,
  };
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
