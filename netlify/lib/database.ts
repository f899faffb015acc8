/** Calls the shop's own SQL functions with the server's rights (`service_role`). */
import { createClient } from '@supabase/supabase-js';
import { type BackendSettings, NotConfigured } from './env.ts';

/** The database did not answer, or answered "later": the call may or may not have taken effect. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/** The database rejected a call. `code` is the SQLSTATE, `message` and `details` are those of its `raise`. */
export class DatabaseRejection extends Error {
  override readonly name = 'DatabaseRejection';
  readonly code: string;
  readonly details: string;

  constructor(code: string, message: string, details: string) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

const TIMEOUT_MS = 25_000;
/** The same as the `statement_timeout` of imports in the database. Netlify ends a function after 60 s. */
export const IMPORT_TIMEOUT_MS = 55_000;
/**
 * Codes of failures after which a second try may succeed; the database has rolled back.
 *
 * - of PostgreSQL: serialization (40001), deadlock (40P01), lock timeout (55P03), a full database that is
 *   read-only (25006), cancelled (57), resources (53), files and disks (58), connection (08), an internal
 *   error such as a function that is being replaced (XX000)
 * - of PostgREST: no connection to the database (PGRST00), a fault of its database library (PGRSTX00), and
 *   a rejected token (PGRST303): the gateway makes that token for each request, and its clock may be ahead
 *
 * Sources: PostgreSQL manual, appendix A; PostgREST 14 manual, "Errors".
 */
const TRANSIENT = /^(40001|40P01|55P03|25006|57|53|58|XX000|08|PGRST00|PGRSTX00|PGRST303)/;
/** The secret key is wrong (PGRST301, 42501), or a migration has not been run (PGRST202). */
const MISCONFIGURED = /^(PGRST301|PGRST202|42501)$/;

/** A client with the server's rights. @param timeoutMs for requests that have no signal of their own */
export function adminClient({ url, secretKey }: BackendSettings, timeoutMs = TIMEOUT_MS) {
  return createClient(url, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: {
      fetch: (input, init) => {
        const signal = init?.signal ?? AbortSignal.timeout(timeoutMs);
        // A redirect would tell another host the key.
        return fetch(input, { ...init, signal, redirect: 'error' });
      },
    },
  });
}

/**
 * Calls a function of the database: one transaction.
 *
 * @throws DatabaseUnavailable when the call may or may not have taken effect
 * @throws DatabaseRejection when it has not and never will
 * @throws NotConfigured when the backend does not accept the shop's own key, or lacks a migration
 */
export async function callDatabase(
  settings: BackendSettings,
  name: string,
  args: Readonly<Record<string, unknown>>,
  timeoutMs = TIMEOUT_MS,
): Promise<unknown> {
  const { data, error, status } = await adminClient(settings)
    .rpc(name, args)
    .abortSignal(AbortSignal.timeout(timeoutMs));
  if (!error) return data;
  const { message, details } = error;
  // The gateway in front of PostgREST answers without a code.
  const code = error.code as string | undefined;
  if (!code && (status === 401 || status === 403)) {
    throw new NotConfigured(`SUPABASE_SECRET_KEY is not accepted: ${message}`);
  }
  if (code && MISCONFIGURED.test(code)) throw new NotConfigured(`${name}: ${code} ${message}`);
  // Status 429 comes from the gateway, and the call may be tried again.
  if (!code || TRANSIENT.test(code) || status === 429) {
    throw new DatabaseUnavailable(`${name}: ${code} ${message}`, { cause: error });
  }
  throw new DatabaseRejection(code, message, details ?? '');
}
