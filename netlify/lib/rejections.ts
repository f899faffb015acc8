/** What a rejection by the database's functions for orders means to the caller. */
import { DatabaseRejection } from './database.ts';
import { HttpError } from './http.ts';

/** HTTP status by the code that the database's function `refuse` raises; 409 for codes not listed here. */
const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  'order-unknown': 404,
  'too-many-orders': 429,
};

/** SQLSTATE of an error that the shop's SQL functions raise with a sentence for the shopper. */
const RAISED = 'P0001';

/** SQLSTATE of a broken foreign key: the one to the account, which was deleted since its token was checked. */
const NO_ACCOUNT = '23503';

/** SQLSTATE of a refusal of too many requests; its detail says for how many seconds. */
const TOO_MANY = 'PT429';

/**
 * The answer to the caller for what the database rejected with a sentence for the shopper, or because the
 * account is gone; null for the rest.
 */
export function httpErrorOf(thrown: unknown): HttpError | null {
  if (!(thrown instanceof DatabaseRejection)) return null;
  if (thrown.code === NO_ACCOUNT) {
    return new HttpError(401, 'Please sign in first.', { code: 'sign-in' });
  }
  if (thrown.code !== RAISED && thrown.code !== TOO_MANY) return null;
  // The database's functions `refuse` and `limit_attempts` write this JSON.
  const fields = JSON.parse(thrown.details) as { readonly code: string };
  const status = thrown.code === TOO_MANY ? 429 : (STATUS_BY_CODE[fields.code] ?? 409);
  return new HttpError(status, thrown.message, fields);
}
