/**
 * Makes the library answer database errors as PostgREST does. Version 0.10 knows only some SQLSTATE
 * codes. It answers others, such as check violations and raised exceptions, with status 500 and its
 * own code; but callers decide by the code whether to retry.
 */

/** Codes that the library answers correctly. */
const ANSWERED_CORRECTLY = /^(2[12]|42|23502|23503|23505|25006|5[35]|PT|PGRST)/;

/** The first matching prefix decides. Source: PostgREST 13 manual, "Errors", "HTTP status codes". */
const STATUS_BY_PREFIX: readonly (readonly [prefix: string, status: number])[] = [
  ['08', 503],
  ['09', 500],
  ['0L', 403],
  ['0P', 403],
  ['25', 500],
  ['28', 403],
  ['2D', 500],
  ['38', 500],
  ['39', 500],
  ['3B', 500],
  ['40', 500],
  ['54', 500],
  ['57', 500],
  ['58', 500],
  ['F0', 500],
  ['HV', 500],
  ['P0001', 400],
  ['P0', 500],
  ['XX', 500],
];

/**
 * Converts an error that the library does not know into one that it does know: the kind that a
 * database function raises for PostgREST (`raise sqlstate 'PGRST'`).
 */
export function asPostgrestError(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || !('code' in thrown)) return thrown;
  const code = String(thrown.code);
  if (code.length !== 5 || ANSWERED_CORRECTLY.test(code)) return thrown;
  const [, status] = STATUS_BY_PREFIX.find(([prefix]) => code.startsWith(prefix)) ?? ['', 400];
  const details = 'detail' in thrown ? thrown.detail : null;
  const hint = 'hint' in thrown ? thrown.hint : null;
  const answer = { code, message: thrown.message, details, hint };
  return Object.assign(new Error(JSON.stringify(answer), { cause: thrown }), {
    code: 'PGRST',
    detail: JSON.stringify({ status, headers: {} }),
  });
}
