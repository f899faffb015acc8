import type { Answer } from '../domain/failure.ts';
import { type Fields, fieldsOf } from '../domain/fields.ts';
import { rowsIn } from '../domain/product-columns.ts';
import type { CatalogueVersion, ProductKey, ProductRow, VersionName } from '../domain/product.ts';
import { request } from './request.ts';

/** Changes of the catalogue after a version. */
export interface CatalogueChanges {
  /** With another epoch than before, versions can no longer be compared: start over. */
  readonly epoch: string;
  /** The server has no tombstones before this version: a phone further behind must start over. */
  readonly minVer: number;
  /** The next request asks for the changes after this version. */
  readonly ver: number;
  /** The random stamp of the newest version when the rows were read, which may be later than `ver`. */
  readonly stamp: string;
  /** False when the requested version is not one of this database: start over. */
  readonly isKnown: boolean;
  readonly hasMore: boolean;
  readonly rows: readonly ProductRow[];
  readonly removed: readonly number[];
}

export interface PageOfVersion {
  readonly rows: readonly ProductRow[];
  readonly hasMore: boolean;
}

/**
 * Reads the catalogue at the shop's own origin (netlify/lib/catalogue.ts). The CDN answers, perhaps with an old answer,
 * which proves nothing. Only `changes` with null for `to` goes past the CDN.
 */
export interface CatalogueRemote {
  /** The newest version. */
  head(signal: AbortSignal): Promise<Answer<CatalogueVersion>>;
  /** The changes after `from`, up to `to`; with null up to the newest version. */
  changes(
    from: VersionName,
    to: VersionName | null,
    signal: AbortSignal,
  ): Promise<Answer<CatalogueChanges>>;
  /** The products of a version after a key, ordered by stock code and id; null asks for the first ones. */
  page(
    version: VersionName,
    after: ProductKey | null,
    signal: AbortSignal,
  ): Promise<Answer<PageOfVersion>>;
}

/** The largest page takes ten seconds and more on a slow connection. */
const TIMEOUT_MS = 30_000;

/** @param url the shop's origin */
export function catalogueRemote({
  url,
  fetch,
}: {
  readonly url: string;
  readonly fetch?: typeof globalThis.fetch;
}): CatalogueRemote {
  const get = <T>(path: string, signal: AbortSignal, parse: (fields: Fields) => T | null) =>
    request({
      url: `${url}/catalogue/${path}`,
      signal,
      timeoutMs: TIMEOUT_MS,
      parse: (body) => parse(fieldsOf(body)),
      fetch,
    });
  return {
    head: (signal) => get('head', signal, parseHead),
    changes(from, to, signal) {
      const path = to ? `${pathOf(from)}/${pathOf(to)}` : pathOf(from);
      return get(`changes/${path}`, signal, parseChanges);
    },
    page(version, after, signal) {
      const query = after
        ? `?${new URLSearchParams({ skc: after.skc, id: String(after.id) })}`
        : '';
      return get(`page/${pathOf(version)}${query}`, signal, parsePage);
    },
  };
}

const pathOf = ({ ver, stamp }: VersionName) => `${ver}.${stamp}`;

function parseHead({ epoch, ver, stamp }: Fields): CatalogueVersion | null {
  if (typeof epoch !== 'string' || typeof ver !== 'number' || typeof stamp !== 'string')
    return null;
  return { epoch, ver, stamp };
}

function parsePage({ columns, more }: Fields): PageOfVersion | null {
  const rows = rowsIn(columns);
  return rows && { rows, hasMore: more === true };
}

function parseChanges(fields: Fields): CatalogueChanges | null {
  const head = parseHead(fields);
  const { min_ver: minVer, known, more, columns, deleted } = fields;
  const rows = rowsIn(columns);
  if (!head || typeof minVer !== 'number' || !rows || !Array.isArray(deleted)) return null;
  return {
    ...head,
    minVer,
    isKnown: known === true,
    hasMore: more === true,
    rows,
    removed: deleted.filter((id) => typeof id === 'number'),
  };
}
