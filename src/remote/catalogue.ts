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
 * The catalogue as the backend has it, read anonymously. Two plain requests to PostgREST: they are
 * part of the first screen, where a client library would weigh as much as all of our own code.
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
  async function ask<T>(
    path: string,
    init: RequestInit,
    signal: AbortSignal,
    parse: (body: unknown) => T | null,
  ): Promise<Answer<T>> {
    try {
      const response = await fetch(`${url}/rest/v1/${path}`, {
        ...init,
        headers: { apikey: key, 'content-type': 'application/json' },
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      const body: unknown = await response.json();
      const value = response.ok ? parse(body) : null;
      if (value !== null) return { ok: true, value };
      const failure = response.ok ? null : refusalOf(body);
      return { ok: false, failure: failure ?? { kind: 'offline' } };
    } catch {
      // No network, cut off, given up, or a page of somebody else's that is not JSON.
      return { ok: false, failure: { kind: 'offline' } };
    }
  }

  return {
    changes(since, signal) {
      const body = JSON.stringify({ p_since: since });
      return ask('rpc/catalogue_changes', { method: 'POST', body }, signal, parseChanges);
    },

    page(after, limit, signal) {
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
      return ask(`products?${query.toString()}`, {}, signal, parsePage);
    },
  };
}

/** PostgREST's error body, or null for an answer that is not its. */
function refusalOf(body: unknown): Extract<Answer<never>, { ok: false }>['failure'] | null {
  if (typeof body !== 'object' || body === null) return null;
  const { code, message } = body as Readonly<Record<string, unknown>>; // any object may be read by name
  if (typeof code !== 'string' || typeof message !== 'string') return null;
  return { kind: 'refused', code, message };
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
  if (typeof epoch !== 'string' || typeof minVer !== 'number' || typeof ver !== 'number') {
    return null;
  }
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
