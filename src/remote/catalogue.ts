import type { Answer } from '../domain/failure.ts';
import {
  parseProductRow,
  PRODUCT_COLUMNS,
  type ProductKey,
  type ProductRow,
} from '../domain/product.ts';
import { ask, type RestOptions } from './rest.ts';

/** Changes of the catalogue after a version. */
export interface CatalogueChanges {
  /** Another epoch than before means that versions can no longer be compared: start over. */
  readonly epoch: string;
  /** Deletions before this version are forgotten: a reader further behind must start over. */
  readonly minVer: number;
  /** Ask for what follows this next time. */
  readonly ver: number;
  /** The random name of `ver`; null from a database that has none yet. */
  readonly stamp: string | null;
  /** False when the version that was asked about is not this database's: start over. */
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

/**
 * The catalogue as the backend has it, read anonymously. Two plain requests to PostgREST: they are
 * part of the first screen, where a client library would weigh as much as all of our own code.
 */
export interface CatalogueRemote {
  /** The changes after `since`; null asks only for the present version. */
  changes(since: CataloguePlace | null, signal: AbortSignal): Promise<Answer<CatalogueChanges>>;
  /** Up to `limit` products behind `after` in the order of stock code and id; none at the end. */
  page(
    after: ProductKey | null,
    limit: number,
    signal: AbortSignal,
  ): Promise<Answer<readonly ProductRow[]>>;
}

/** A page of 1,000 products is about 40 kB on the wire: ten seconds and more on a thin line. */
const TIMEOUT_MS = 30_000;
const SELECT = PRODUCT_COLUMNS.map((name) => (name.includes(' ') ? `"${name}"` : name)).join(',');

export function catalogueRemote(options: RestOptions): CatalogueRemote {
  return {
    changes(since, signal) {
      return ask(options, {
        path: 'rpc/catalogue_changes',
        body: {
          p_since: since?.ver ?? null,
          ...(since?.stamp === undefined ? {} : { p_stamp: since.stamp }),
        },
        signal,
        timeoutMs: TIMEOUT_MS,
        parse: parseChanges,
      });
    },

    page(after, limit, signal) {
      return ask(options, {
        path: pagePath(after, limit),
        signal,
        timeoutMs: TIMEOUT_MS,
        parse: parsePage,
      });
    },
  };
}

/** Of up to `limit` products behind `after`, below `/rest/v1/`. */
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

/** Null for an answer that is not PostgREST's. */
export function parsePage(data: unknown): ProductRow[] | null {
  if (!Array.isArray(data)) return null;
  const rows: ProductRow[] = [];
  for (const record of data as unknown[]) {
    if (typeof record !== 'object' || record === null) return null;
    const fields = record as Readonly<Record<string, unknown>>; // any object may be read by name
    const row = parseProductRow(PRODUCT_COLUMNS.map((name) => fields[name]));
    if (!row) return null;
    rows.push(row);
  }
  return rows;
}

function parseChanges(data: unknown): CatalogueChanges | null {
  if (typeof data !== 'object' || data === null) return null;
  const fields = data as Readonly<Record<string, unknown>>; // any object may be read by name
  const { epoch, min_ver: minVer, ver, stamp, known, more, products, deleted } = fields;
  if (typeof epoch !== 'string' || typeof minVer !== 'number' || typeof ver !== 'number') {
    return null;
  }
  if (!Array.isArray(products) || !Array.isArray(deleted)) return null;
  const rows = products.map((values: unknown) => Array.isArray(values) && parseProductRow(values));
  if (!rows.every((row) => row !== false && row !== null)) return null;
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

/** A value inside PostgREST's `or=(…)`: quoted, or a comma in a stock code would end it. */
function quote(value: string): string {
  return `"${value.replace(/["\\]/g, String.raw`\$&`)}"`;
}
