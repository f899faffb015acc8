/**
 * The catalogue as phones read it, through the CDN:
 *
 *   /catalogue/head                       the newest version; a poll that finds nothing new asks only this
 *   /catalogue/changes/<from>/<to>        what has changed between two versions
 *   /catalogue/changes/<from>             the same up to the newest version, never cached: the truth for a phone in doubt
 *   /catalogue/page/<version>?skc=…&id=…  the products of a version behind this key
 *   /catalogue/page?skc=…                 the first products now, or those from a stock code on: for a first visit
 *
 * A version is written `<number>.<stamp>`. Stamps are random, so a database that was restored has other addresses. A
 * page never changes. Changes between two versions have fewer rows the later they are read, because a row that has
 * changed again comes with later changes: any of these answers is good. A version that is gone, or is not the newest
 * for a page, is answered with 410. No failure is cached.
 */
import { fieldsOf } from '../../src/domain/fields.ts';
import { columnsOf } from '../../src/domain/product-columns.ts';
import { parseProductRow, type ProductRow, type VersionName } from '../../src/domain/product.ts';
import { FIRST_PAGE_ROWS } from '../../src/domain/catalogue-chunk.ts';
import { CATALOGUE_TAG } from './catalogue-cache.ts';
import { DatabaseUnavailable } from './database.ts';
import { HttpError, json } from './http.ts';
import type { CallDatabase } from './orders.ts';

/** About 75 kB, compressed. */
const PAGE_ROWS = 10_000;

/** Only these parts of a query tell answers apart. */
const VARY = { 'netlify-vary': 'query=skc|id' };

/** For what names the newest version: a phone learns of a change within a minute of the import, without any purge. */
const SHORT_AGES = {
  ...VARY,
  'netlify-cdn-cache-control': 'public, durable, max-age=15, stale-while-revalidate=45',
  'netlify-cache-tag': CATALOGUE_TAG,
};

/** For what never changes. */
const FOR_A_YEAR = {
  ...VARY,
  'netlify-cdn-cache-control': 'public, durable, max-age=31536000, immutable',
};

/**
 * Answers a GET below `/catalogue/`. The CDN packs the answers. A function's own brotli would make them a fifth
 * smaller, but Netlify does not say that it passes a function's compression on.
 *
 * @throws HttpError 404 for other addresses, 410 for a version that is gone; DatabaseUnavailable, DatabaseRejection
 */
export async function answerCatalogue({ pathname, searchParams }: URL, call: CallDatabase) {
  const [, , kind, ...names] = pathname.split('/');
  const versions = names.map(versionIn);
  const [first, second] = versions;
  const areVersions = !versions.includes(null);
  if (kind === 'head' && names.length === 0) {
    return json(await call('catalogue_head', {}), 200, SHORT_AGES);
  }
  if (kind === 'changes' && first && areVersions && names.length < 3) {
    return answerChanges(first, second ?? null, call);
  }
  if (kind === 'page' && areVersions && names.length < 2) {
    return answerPage(first ?? null, searchParams, call);
  }
  throw new HttpError(404, 'The catalogue has no such address.');
}

async function answerChanges(from: VersionName, to: VersionName | null, call: CallDatabase) {
  const args = { p_since: from.ver, p_stamp: from.stamp, p_to: to?.ver, p_to_stamp: to?.stamp };
  const { products, ...answer } = fieldsOf(await call('catalogue_changes', args));
  // `known` is false for a version that a restore took away. Deletions before `min_ver` are forgotten.
  const isWhole = answer['known'] === true && Number(answer['min_ver']) <= from.ver;
  if (to && !isWhole) throw gone();
  return json({ ...answer, columns: columnsOf(rowsOf(products)) }, 200, to ? FOR_A_YEAR : {});
}

async function answerPage(version: VersionName | null, query: URLSearchParams, call: CallDatabase) {
  const skc = query.get('skc');
  const id = Number(query.get('id') ?? 0);
  if (!Number.isSafeInteger(id)) throw new HttpError(404, 'The catalogue has no such address.');
  const p_limit = version === null || skc === null ? FIRST_PAGE_ROWS : PAGE_ROWS;
  const args = { p_skc: skc, p_id: id, p_limit, p_stamp: version?.stamp };
  const { head, more, products } = fieldsOf(await call('catalogue_page', args));
  const { ver, stamp } = fieldsOf(head);
  if (version && !(ver === version.ver && stamp === version.stamp)) throw gone();
  const answer = { head, more, columns: columnsOf(rowsOf(products)) };
  return json(answer, 200, version ? FOR_A_YEAR : SHORT_AGES);
}

function gone(): HttpError {
  return new HttpError(410, 'The catalogue has changed since then.');
}

/** Products as the database's functions write them. @throws DatabaseUnavailable */
function rowsOf(products: unknown): ProductRow[] {
  if (!Array.isArray(products)) throw new DatabaseUnavailable('an answer without products');
  return products.map((values: unknown) => {
    const row = Array.isArray(values) ? parseProductRow(values) : null;
    if (row === null) throw new DatabaseUnavailable('an answer with a product that is none');
    return row;
  });
}

/** The version in a part of an address; null for anything else. */
function versionIn(text: string): VersionName | null {
  const [, ver, stamp] =
    /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(text) ?? [];
  return ver === undefined || stamp === undefined ? null : { ver: Number(ver), stamp };
}
