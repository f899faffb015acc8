/**
 * Refuses what the embedded database cannot bear, because it runs in the thread that serves everybody.
 * A hosted one has time limits for statements and takes rows as one value.
 */

/** As much as functions take. */
const MOST_BYTES = 6 * 1024 * 1024;

/** PostgREST's filters by regular expression, which may never end. No page uses them. */
const BY_PATTERN = /(^|[=.,(])i?match(\((any|all)\))?\./;

/** More make PGlite's parser fail in the middle of an answer, and all answers after it wrong. */
const MOST_VALUES = 32_767;

export function refusalOf({ url, headers }: Request): Response | null {
  if (Number(headers.get('content-length')) > MOST_BYTES)
    return refused(413, 'The body is too large.');
  if (headers.has('transfer-encoding')) return refused(411, 'Say how long the body is.');
  const filters = [...new URL(url).searchParams];
  if (filters.some(([name, value]) => BY_PATTERN.test(`${name}=${value}`))) {
    return refused(400, 'Filters by regular expression are off here.');
  }
  return null;
}

function refused(status: number, message: string): Response {
  return Response.json({ code: `PT${status}`, message, details: null, hint: null }, { status });
}

/** @throws an error that PostgREST answers with 413 */
export function requireFew(values: readonly unknown[] = []): void {
  if (values.length <= MOST_VALUES) return;
  const error = new Error(
    `A request may hold ${MOST_VALUES.toLocaleString('en-US')} values at most.`,
  );
  throw Object.assign(error, { code: 'PT413' });
}
