import { PostgrestClient } from '@supabase/postgrest-js';
import type { Answer } from '../domain/failure.ts';
import {
  parseProductRow,
  PRODUCT_COLUMNS,
  type ProductKey,
  type ProductRow,
} from '../domain/product.ts';

/** Changes of the catalogue after a version. */
export interface CatalogueChanges {
  /** Another epoch than before means that versions can no longer be compared: start over. */
  readonly epoch: string;
  /** Deletions before this version are forgotten: a reader further behind must start over. */
  readonly minVer: number;
  /** Ask for what follows this next time. */
  readonly ver: number;
  readonly hasMore: boolean;
  readonly rows: readonly ProductRow[];
  readonly removed: readonly number[];
}

/**
 * The catalogue as the backend has it. Reads anonymously through the part of supabase-js that
 * speaks to tables (5 kB instead of 55 on the first visit).
 */
export interface CatalogueRemote {
  /** The changes after `since`; null asks only for the present version. */
  changes(since: number | null, signal: AbortSignal): Promise<Answer<CatalogueChanges>>;
  /** Up to `limit` products behind `after` in the order of stock code and id; none at the end. */
  page(
    after: ProductKey | null,
    limit: number,
    signal: AbortSignal,
  ): Promise<Answer<readonly ProductRow[]>>;
}

/** A request that has not ended by then is given up: on a bad line another one does better. */
const TIMEOUT_MS = 30_000;
const SELECT = PRODUCT_COLUMNS.map((name) => (name.includes(' ') ? `"${name}"` : name)).join(',');

export function catalogueRemote(
  url: string,
  key: string,
  fetch = globalThis.fetch,
): CatalogueRemote {
  const client = new PostgrestClient(`${url}/rest/v1`, {
    headers: { apikey: key },
    fetch,
    retry: false,
  });

  return {
    async changes(since, signal) {
      const { data, error, status } = await client
        .rpc('catalogue_changes', { p_since: since })
        .abortSignal(withTimeout(signal));
      return answerOf(error, status, parseChanges(data));
    },

    async page(after, limit, signal) {
      let query = client.from('products').select(SELECT);
      if (after !== null) {
        // The plain bound beside the exact one lets Postgres walk the index instead of the table.
        const skc = quote(after.skc);
        query = query
          .gte('SKC', after.skc)
          .or(`SKC.gt.${skc},and(SKC.eq.${skc},id.gt.${after.id})`);
      }
      const { data, error, status } = await query
        .order('SKC')
        .order('id')
        .limit(limit)
        .abortSignal(withTimeout(signal));
      return answerOf(error, status, parsePage(data));
    },
  };
}

function answerOf<T>(
  error: { readonly code?: string; readonly message: string } | null,
  status: number,
  value: T | null,
): Answer<T> {
  if (error && status >= 400 && error.code) {
    return { ok: false, failure: { kind: 'refused', code: error.code, message: error.message } };
  }
  if (error || value === null) return { ok: false, failure: { kind: 'offline' } };
  return { ok: true, value };
}

function parsePage(data: unknown): ProductRow[] | null {
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
  const { epoch, min_ver: minVer, ver, more, products, deleted } = fields;
  if (typeof epoch !== 'string' || typeof minVer !== 'number' || typeof ver !== 'number')
    return null;
  if (!Array.isArray(products) || !Array.isArray(deleted)) return null;
  const rows = products.map((values: unknown) => Array.isArray(values) && parseProductRow(values));
  if (!rows.every((row) => row !== false && row !== null)) return null;
  const removed = deleted.filter((id) => typeof id === 'number');
  return { epoch, minVer, ver, hasMore: more === true, rows, removed };
}

/** A value inside PostgREST's `or=(…)`: quoted, or a comma in a stock code would end it. */
function quote(value: string): string {
  return `"${value.replace(/["\\]/g, String.raw`\$&`)}"`;
}

function withTimeout(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
}
