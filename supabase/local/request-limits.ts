/**
 * Rejects requests that would block or break the embedded database, which runs in the same thread as
 * the shop. A hosted database needs no such limits: it ends long statements itself.
 */

/** The largest body that Netlify's functions take; REST takes no more here. */
const MAX_BODY_BYTES = 6 * 1024 * 1024;

/** PostgREST's filters by regular expression, which may never end. No page uses them. */
const PATTERN_FILTER = /(^|[=.,(])i?match(\((any|all)\))?\./;

/** With more values PGlite's parser fails in the middle of an answer, and every later answer is wrong. */
const MAX_VALUES = 32_767;

/** Returns the answer to a request that is rejected; null for one that may be served. */
export function rejectRequest({ url, headers }: Request): Response | null {
  if (Number(headers.get('content-length')) > MAX_BODY_BYTES) {
    return rejection(413, 'The body is too large.');
  }
  if (headers.has('transfer-encoding')) return rejection(411, 'Say how long the body is.');
  const filters = [...new URL(url).searchParams];
  if (filters.some(([name, value]) => PATTERN_FILTER.test(`${name}=${value}`))) {
    return rejection(400, 'Filters by regular expression are off here.');
  }
  return null;
}

function rejection(status: number, message: string): Response {
  return Response.json({ code: `PT${status}`, message, details: null, hint: null }, { status });
}

/** @throws an error that PostgREST answers with 413 */
export function requireFewValues(values: readonly unknown[] = []): void {
  if (values.length <= MAX_VALUES) return;
  const error = new Error(
    `A request may hold ${MAX_VALUES.toLocaleString('en-US')} values at most.`,
  );
  throw Object.assign(error, { code: 'PT413' });
}
