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
export const DEMO_ACCOUNTS: readonly NewAccount[] = [
  { email: 'shopper@weft.test', password: DEMO_PASSWORD },
  { email: 'staff@weft.test', password: DEMO_PASSWORD, appMetadata: { role: 'staff' } },
];

/** The part of a backend that adds accounts. */
interface Accounts {
  query(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  addAccount(account: NewAccount): Promise<unknown>;
}

/** Makes the demo accounts that are missing. */
export async function addDemoAccounts(backend: Accounts): Promise<void> {
  const rows = await backend.query('select email from auth.users');
  const existingEmails = new Set(rows.map((row) => row['email']));
  for (const account of DEMO_ACCOUNTS) {
    if (!existingEmails.has(account.email)) await backend.addAccount(account);
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
  const { email, password, appMetadata = {} } = account;
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
  await database.query(
    'update auth.users set raw_app_meta_data = raw_app_meta_data || $1::jsonb where id = $2',
    [JSON.stringify(appMetadata), id],
  );
  return id;
}
