/** The database with the server's own rights. Only functions of ours are called on it. */
import { createClient } from '@supabase/supabase-js';
import type { BackendSettings } from './env.ts';

/** No answer, or one that means "later": nothing is known about what was asked. */
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
/**
 * Rolled back for reasons that pass: serialization, deadlock, lock timeout, cancelled, resources
 * (53), connection (08), PostgREST's own "cannot connect". Source: PostgreSQL manual, appendix A.
 */
const PASSES = /^(40001|40P01|55P03|57|53|08|PGRST00)/;

export function adminClient({ url, secretKey }: BackendSettings) {
  return createClient(url, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  });
}

/**
 * Calls a function of the database: one transaction.
 *
 * @throws DatabaseUnavailable when it is not known whether it happened
 * @throws DatabaseRejection when it did not happen and will not
 */
export async function callDatabase(
  settings: BackendSettings,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { data, error, status } = await adminClient(settings)
    .rpc(name, args)
    .abortSignal(AbortSignal.timeout(TIMEOUT_MS));
  if (!error) return data;
  const { code, message, details } = error;
  if (!code || PASSES.test(code) || status === 429) {
    throw new DatabaseUnavailable(`${name}: ${code} ${message}`, { cause: error });
  }
  throw new DatabaseRejection(code, message, details ?? '');
}
