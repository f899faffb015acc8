import type { Answer } from '../domain/failure.ts';
import { fieldsOf, parseEach } from '../domain/fields.ts';
import {
  parseProductRow,
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
  /** The random stamp of `ver`. */
  readonly stamp: string;
  /** False when the requested version is not one of this database: start over. */
  readonly isKnown: boolean;
  readonly hasMore: boolean;
  readonly rows: readonly ProductRow[];
  readonly removed: readonly number[];
}

/**
 * Reads the backend's catalogue, anonymously. It sends plain requests to PostgREST because it is part of
 * the first screen, where a client library would be as large as all of the shop's own code.
 */
export interface CatalogueRemote {
  /**
   * The changes after `since`; null asks only for the present version.
   */
  changes(since: VersionName | null, signal: AbortSignal): Promise<Answer<CatalogueChanges>>;
  /**
   * Up to `limit` products after the key `after`, ordered by stock code and id; none after the last product.
   * Null asks for the first ones.
   */
  page(
    after: ProductKey | null,
    limit: number,
    signal: AbortSignal,
  ): Promise<Answer<readonly ProductRow[]>>;
}

/** A page of 1,000 products is about 40 kB compressed: ten seconds and more on a slow connection. */
const TIMEOUT_MS = 30_000;

export function catalogueRemote(options: RestOptions): CatalogueRemote {
  return {
    changes(since, signal) {
      return requestRest(options, {
        path: 'rpc/catalogue_changes',
        body: {
          p_since: since?.ver ?? null,
          p_stamp: since?.stamp ?? null,
        },
        signal,
        timeoutMs: TIMEOUT_MS,
        parse: parseChanges,
      });
    },

    page(after, limit, signal) {
      return requestRest(options, {
        path: 'rpc/catalogue_page',
        body: { p_skc: after?.skc ?? null, p_id: after?.id ?? null, p_limit: limit },
        signal,
        timeoutMs: TIMEOUT_MS,
        parse: (data) => parseProducts(fieldsOf(data)['products']),
      });
    },
  };
}

/** Products as the database's own functions write them; null for anything else. */
function parseProducts(data: unknown): ProductRow[] | null {
  return parseEach(data, (values) => (Array.isArray(values) ? parseProductRow(values) : null));
}

function parseChanges(data: unknown): CatalogueChanges | null {
  const { epoch, min_ver: minVer, ver, stamp, known, more, products, deleted } = fieldsOf(data);
  if (typeof epoch !== 'string' || typeof stamp !== 'string') return null;
  if (typeof minVer !== 'number' || typeof ver !== 'number') return null;
  const rows = parseProducts(products);
  if (!rows || !Array.isArray(deleted)) return null;
  const removed = deleted.filter((id) => typeof id === 'number');
  return {
    epoch,
    minVer,
    ver,
    stamp,
    isKnown: known !== false,
    hasMore: more === true,
    rows,
    removed,
  };
}
