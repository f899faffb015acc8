/**
 * A fake of the server for the import worker: `upload-csv` with the rules of the real function, a table in
 * memory, and parts that count once; `imports` finds the unfinished import of a file.
 */
import { gunzipSync } from 'node:zlib';
import type { LeftOut } from '../../src/domain/row-counts.ts';
import { readProductCsv } from '../../src/csv/products.ts';

/**
 * - `none`        nothing goes wrong
 * - `lost`        the request never arrives
 * - `unanswered`  the shop handles the request, and its answer is lost
 * - `portal`      a captive portal answers with its page
 * - `crashed`     the host answers for a function that failed
 * - `token`       the shop rejects the token from now on
 * - `busy`        the shop answers 429
 * - a number      the shop answers with this status and a sentence
 */
export type RequestFault =
  | 'none'
  | 'lost'
  | 'unanswered'
  | 'portal'
  | 'crashed'
  | 'token'
  | 'busy'
  | 500
  | 503;

/** A part as the shop has received it. */
interface ReceivedPart {
  readonly part: number;
  readonly totalParts: number | undefined;
  readonly csv: string;
  /** The rows of the file that no part holds. */
  readonly leftOut: LeftOut | undefined;
}

/** A request to `upload-csv`. */
interface UploadBody {
  readonly csv: string;
  readonly importId: string;
  readonly fileDigest: string;
  readonly part: number;
  readonly totalParts?: number;
  readonly blankCellsClear: boolean;
  readonly leftOut?: LeftOut;
}

type CountName = 'inserted' | 'updated' | 'unchanged' | 'rejected_count' | 'off_sale';
type Counts = Readonly<Record<CountName, number>>;

/** When an unfinished import was begun, as the shop says of each. */
export const BEGUN_AT = '2026-11-20T10:00:00.000Z';

/** The shop; `nextFault` injects a fault into each request to `upload-csv`. */
export class ShopInMemory {
  /** By stock code and size, the columns that were ever set. */
  readonly table = new Map<string, Readonly<Record<string, string>>>();
  /** By import and part; a part that arrived again is not here twice. */
  readonly parts = new Map<string, ReceivedPart & Counts>();
  /** By file digest, the import of a file that was begun last. */
  readonly begun = new Map<string, string>();
  /** The most requests that were under way at once. */
  mostAtOnce = 0;
  /** How many requests to `upload-csv` were made. */
  requests = 0;
  /** Decides what happens to the next request. */
  nextFault: () => RequestFault = () => 'none';
  /** Tokens that the shop rejects. */
  readonly expired = new Set<string>();
  #atOnce = 0;

  /** Takes the place of the global `fetch` in the worker. */
  readonly fetch: typeof globalThis.fetch = async (address, request = {}) => {
    const asked = /\/functions\/imports\?file=(\w+)$/.exec(address as string)?.[1];
    if (asked !== undefined) {
      return Response.json({ may_import: true, unfinished: this.#unfinished(asked) });
    }
    this.requests += 1;
    this.#atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce);
    try {
      await new Promise((resolve) => setImmediate(resolve));
      request.signal?.throwIfAborted();
      return await this.#answer(this.nextFault(), request);
    } finally {
      this.#atOnce -= 1;
    }
  };

  async #answer(fault: RequestFault, { headers, body }: RequestInit): Promise<Response> {
    const token = new Headers(headers).get('authorization')?.replace('Bearer ', '') ?? '';
    if (fault === 'lost') throw new TypeError('fetch failed');
    if (fault === 'portal') return htmlAnswer('<html>Welcome</html>', 200);
    if (fault === 'crashed') return htmlAnswer('<h1>This function has crashed</h1>', 502);
    if (fault === 'busy') return Response.json({ error: 'Slow down.' }, { status: 429 });
    if (typeof fault === 'number') {
      return Response.json({ error: 'The shop is unwell.' }, { status: fault });
    }
    if (fault === 'token') this.expired.add(token);
    if (this.expired.has(token)) return Response.json({ error: 'Sign in.' }, { status: 401 });
    const { csvGzip, ...others } = JSON.parse(await new Response(body).text()) as UploadBody & {
      readonly csvGzip: string;
    };
    const csv = gunzipSync(Buffer.from(csvGzip, 'base64')).toString();
    const answer = this.#storeAndAnswer({ ...others, csv });
    if (fault === 'unanswered') throw new TypeError('connection reset');
    return answer;
  }

  #storeAndAnswer(body: UploadBody): Response {
    const counts = this.store(body);
    if (typeof counts === 'string') return Response.json({ error: counts }, { status: 409 });
    const { inserted, updated, unchanged } = counts;
    const processed = inserted + updated + unchanged;
    const message = `Import successful! Processed ${processed} records.`;
    return Response.json({ message, processed_count: processed, rejected: [], ...counts });
  }

  #unfinished(fileDigest: string) {
    const importId = this.begun.get(fileDigest);
    const parts = [...this.parts].filter(([key]) => key.startsWith(`${importId} `));
    const isWhole = parts.some(([, { totalParts }]) => totalParts === parts.length);
    if (importId === undefined || isWhole) return null;
    return { import_id: importId, started_at: BEGUN_AT };
  }

  /** Stores a part and returns its counts, or the sentence with which the shop rejects it. */
  store(body: UploadBody): Counts | string {
    const { csv, part, totalParts, blankCellsClear, leftOut } = body;
    const key = `${body.importId} ${part}`;
    const received = this.parts.get(key);
    if (received)
      return received.csv === csv ? received : 'This part has been sent with other content.';
    const read = readProductCsv(csv, { blankCellsClear });
    if (!read.ok) throw new Error(`a part is not a CSV: ${read.sentence}`);
    const counts = {
      inserted: 0,
      updated: 0,
      unchanged: 0,
      rejected_count: read.rejected.length,
      off_sale: 0,
    };
    for (const { row } of read.products) {
      const product = `${row['SKC']} / ${row['Size'] ?? ''}`;
      const stored = this.table.get(product);
      const next = { ...stored };
      for (const [column, value] of Object.entries(row)) next[column] = value ?? '';
      if (!stored) counts.inserted += 1;
      else if (isSame(stored, next)) counts.unchanged += 1;
      else counts.updated += 1;
      this.table.set(product, next);
    }
    this.begun.set(body.fileDigest, body.importId);
    this.parts.set(key, { part, totalParts, csv, leftOut, ...counts });
    return counts;
  }
}

/** An answer in HTML, such as a proxy, a captive portal or the host gives in place of the function. */
function htmlAnswer(text: string, status: number): Response {
  return new Response(text, { status, headers: { 'content-type': 'text/html' } });
}

function isSame(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every(
    (column) => (a[column] ?? '') === (b[column] ?? ''),
  );
}
