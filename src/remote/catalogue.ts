import type { Answer, BackendFailure } from '../domain/failure.ts';
import { fieldsOf, parseEach } from '../domain/fields.ts';
import {
  parseProductRow,
  PRODUCT_COLUMNS,
  type ProductKey,
  type ProductRow,
  type VersionName,
} from '../domain/product.ts';
import { type RestOptions, requestRest } from './request.ts';

/** Changes of the catalogue after a version. */
export interface CatalogueChanges {
  /** With another epoch than before, versions can no longer be compared: start over. */
  readonly epoch: string;
  /** The server has no tombstones before this version: a phone further behind must start over. */
  readonly minVer: number;
  /** The next request asks for the changes after this version. */
  readonly ver: number;
  /** The random stamp of `ver`; null from a database that has none yet. */
  readonly stamp: string | null;
  /** False when the requested version is not one of this database: start over. */
  readonly isKnown: boolean;
  readonly hasMore: boolean;
  readonly rows: readonly ProductRow[];
  readonly removed: readonly number[];
}

/** A version that a phone holds, with its stamp where it has one. */
export interface CataloguePlace {
  readonly ver: number;
  readonly stamp?: string;
}

/** Products after a key, ordered by stock code and id; no rows after the last product. */
export interface KeysetPage {
  readonly rows: readonly ProductRow[];
  /** The version at which the database read the rows; null from a database that does not say. */
  readonly version: VersionName | null;
}

/**
 * Reads the backend's catalogue, anonymously. It sends plain requests to PostgREST because it is part of
 * the first screen, where a client library would be as large as all of the shop's own code.
 */
export interface CatalogueRemote {
  /**
   * The changes after `since`; null asks only for the present version.
   *
   * @param limit the most rows, from 1 to 1,000; 1,000 if absent
   */
  changes(
    since: CataloguePlace | null,
    signal: AbortSignal,
    limit?: number,
  ): Promise<Answer<CatalogueChanges>>;
  /** Up to `limit` products after the key `after`; null asks for the first ones. */
  page(after: ProductKey | null, limit: number, signal: AbortSignal): Promise<Answer<KeysetPage>>;
}

/** A page of 1,000 products is about 40 kB compressed: ten seconds and more on a slow connection. */
const TIMEOUT_MS = 30_000;
const SELECT = PRODUCT_COLUMNS.map((name) => (name.includes(' ') ? `"${name}"` : name)).join(',');

export function catalogueRemote(options: RestOptions): CatalogueRemote {
  /** False once the database has answered that it lacks the function for pages. */
  let hasPageFunction = true;
  return {
    changes(since, signal, limit) {
      return requestRest(options, {
        path: 'rpc/catalogue_changes',
        body: {
          p_since: since?.ver ?? null,
          // `JSON.stringify` leaves out undefined fields.
          p_stamp: since?.stamp,
          p_limit: limit,
        },
        signal,
        timeoutMs: TIMEOUT_MS,
        parse: parseChanges,
      });
    },

    async page(after, limit, signal) {
      if (hasPageFunction) {
        const answer = await requestRest(options, {
          path: 'rpc/catalogue_page',
          body: { p_skc: after?.skc ?? null, p_id: after?.id ?? null, p_limit: limit },
          signal,
          timeoutMs: TIMEOUT_MS,
          parse: parsePage,
        });
        hasPageFunction = answer.ok || !isNoFunction(answer.failure);
        if (hasPageFunction) return answer;
      }
      return requestRest(options, {
        path: pagePath(after, limit),
        signal,
        timeoutMs: TIMEOUT_MS,
        parse: (body) => {
          const rows = parseRows(body);
          return rows && { rows, version: null };
        },
      });
    },
  };
}

/** Whether the database lacks the function that this build calls, because of a missing migration. */
function isNoFunction(failure: BackendFailure): boolean {
  return failure.kind === 'rejected' && failure.code === 'PGRST202';
}

/** The path below `/rest/v1/` of a page of products, for a database without the function for pages. */
export function pagePath(after: ProductKey | null, limit: number): string {
  const query = new URLSearchParams({
    select: SELECT,
    order: 'SKC.asc,id.asc',
    limit: String(limit),
  });
  if (after !== null) {
    // The plain bound beside the exact one lets Postgres walk the index instead of the table.
    const skc = quote(after.skc);
    query.set('SKC', `gte.${after.skc}`);
    query.set('or', `(SKC.gt.${skc},and(SKC.eq.${skc},id.gt.${after.id}))`);
  }
  return `products?${query.toString()}`;
}

/** Products as PostgREST answers a select; null for anything else. */
export function parseRows(data: unknown): ProductRow[] | null {
  return parseEach(data, (record) => {
    const fields = fieldsOf(record);
    return parseProductRow(PRODUCT_COLUMNS.map((name) => fields[name]));
  });
}

function parsePage(data: unknown): KeysetPage | null {
  const { ver, stamp, products } = fieldsOf(data);
  const rows = parseProducts(products);
  if (!rows || typeof ver !== 'number') return null;
  return { rows, version: typeof stamp === 'string' ? { ver, stamp } : null };
}

/** Products as the database's own functions write them; null for anything else. */
function parseProducts(data: unknown): ProductRow[] | null {
  return parseEach(data, (values) => (Array.isArray(values) ? parseProductRow(values) : null));
}

function parseChanges(data: unknown): CatalogueChanges | null {
  const { epoch, min_ver: minVer, ver, stamp, known, more, products, deleted } = fieldsOf(data);
  if (typeof epoch !== 'string' || typeof minVer !== 'number' || typeof ver !== 'number') {
    return null;
  }
  const rows = parseProducts(products);
  if (!rows || !Array.isArray(deleted)) return null;
  const removed = deleted.filter((id) => typeof id === 'number');
  return {
    epoch,
    minVer,
    ver,
    stamp: typeof stamp === 'string' ? stamp : null,
    isKnown: known !== false,
    hasMore: more === true,
    rows,
    removed,
  };
}

/** Quotes a value inside PostgREST's `or=(…)`, where a comma in a stock code would end it. */
function quote(value: string): string {
  return `"${value.replace(/["\\]/g, String.raw`\$&`)}"`;
}
