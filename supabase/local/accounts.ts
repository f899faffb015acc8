/** Adds accounts without a confirmation mail: the two demo accounts, and accounts for tests. */
import type { App } from '@supabase/lite';
import type { Database } from './connection.ts';
import { LOCAL_PUBLISHABLE_KEY } from './keys.ts';

export interface NewAccount {
  readonly email: string;
  readonly password: string;
  /** Fields of the user's tokens that the user cannot change, such as `{ role: 'staff' }`. */
  readonly appMetadata?: Readonly<Record<string, unknown>>;
}

export const DEMO_PASSWORD = 'weft-demo';
/** Its bcrypt hash, which is stored by SQL: the auth service changes a password only after a mail. */
const DEMO_PASSWORD_HASH = '$2b$10$v4nrm1QoGiE5IgNsfgJml.N3rwVqlCD3/4ElYFK7QAlmpbDmm3rry';
export const DEMO_ACCOUNTS: readonly NewAccount[] = [
  { email: 'shopper@weft.test', password: DEMO_PASSWORD },
  { email: 'staff@weft.test', password: DEMO_PASSWORD, appMetadata: { role: 'staff' } },
];

/** The part of a backend that adds accounts. */
interface Accounts {
  readonly query: Database['query'];
  addAccount(account: NewAccount): Promise<unknown>;
}

/**
 * Makes the demo accounts that are missing. Gives an existing one the password that the start prints, and
 * its role, which is missing if an earlier start was killed right after the signup.
 */
export async function addDemoAccounts(backend: Accounts): Promise<void> {
  const rows = await backend.query('select email from auth.users');
  const existingEmails = new Set(rows.map((row) => row['email']));
  for (const account of DEMO_ACCOUNTS) {
    if (existingEmails.has(account.email)) {
      await completeMetadata(backend.query, account);
      await backend.query('update auth.users set encrypted_password = $1 where email = $2', [
        DEMO_PASSWORD_HASH,
        account.email,
      ]);
    } else await backend.addAccount(account);
  }
}

/**
 * Signs up through the auth service, with confirmation off for this one request, so that password
 * and identity are stored as for any shopper.
 *
 * @returns the user's id
 * @throws when the auth service refuses, for example because the address has an account
 */
export async function addAccount(app: App, database: Database, account: NewAccount) {
  const { email, password } = account;
  const id = await database.exclusively(async () => {
    const settings = app.config.auth?.email;
    if (settings === undefined) throw new Error('[auth.email] is missing from config.toml');
    settings.enable_confirmations = false;
    try {
      const answer = await app.fetch(
        new Request('http://localhost/auth/v1/signup', {
          method: 'POST',
          headers: { apikey: LOCAL_PUBLISHABLE_KEY, 'content-type': 'application/json' },
          body: JSON.stringify({ email, password }),
        }),
        { peerAddress: null },
      );
      const body = (await answer.json()) as { user?: { id: string }; msg?: string };
      if (body.user === undefined) throw new Error(`${email} could not sign up: ${body.msg}`);
      return body.user.id;
    } finally {
      settings.enable_confirmations = true;
    }
  });
  await completeMetadata(database.query, account);
  return id;
}

/** Adds the fields of an account's metadata that are not stored yet. */
async function completeMetadata(
  query: Database['query'],
  { email, appMetadata = {} }: NewAccount,
): Promise<void> {
  await query(
    'update auth.users set raw_app_meta_data = $1::jsonb || raw_app_meta_data where email = lower($2)',
    [JSON.stringify(appMetadata), email],
  );
}
