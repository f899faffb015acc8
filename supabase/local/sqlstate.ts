/**
 * Makes the library answer database errors as PostgREST does. Version 0.10 knows only some SQLSTATE
 * codes. It answers others, such as check violations and raised exceptions, with status 500 and its
 * own code; but callers decide by the code whether to retry.
 */

/** Codes that the library answers correctly. */
const ANSWERED_CORRECTLY = /^(2[12]|42|23502|23503|23505|25006|5[35]|PT|PGRST)/;

/**
 * The prefixes of the codes with a status of their own; the first line that matches decides. Other codes have
 * 400. Source: PostgREST 13 manual, "Errors", "HTTP status codes".
 */
const PREFIXES_BY_STATUS: readonly (readonly [status: number, prefixes: RegExp])[] = [
  [400, /^P0001/],
  [403, /^(0L|0P|28)/],
  [500, /^(09|25|2D|38|39|3B|40|54|57|58|F0|HV|P0|XX)/],
  [503, /^08/],
];

/**
 * Converts an error that the library does not know into one that it does know: the kind that a
 * database function raises for PostgREST (`raise sqlstate 'PGRST'`).
 */
export function asPostgrestError(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || !('code' in thrown)) return thrown;
  const code = String(thrown.code);
  if (code.length !== 5 || ANSWERED_CORRECTLY.test(code)) return thrown;
  const [status] = PREFIXES_BY_STATUS.find(([, prefixes]) => prefixes.test(code)) ?? [400];
  const details = 'detail' in thrown ? thrown.detail : null;
  const hint = 'hint' in thrown ? thrown.hint : null;
  const answer = { code, message: thrown.message, details, hint };
  return Object.assign(new Error(JSON.stringify(answer), { cause: thrown }), {
    code: 'PGRST',
    detail: JSON.stringify({ status, headers: {} }),
  });
}
