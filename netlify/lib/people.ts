/** Gives people a copy of their data, and deletes their accounts. */
import { isAuthApiError } from '@supabase/supabase-js';
import type { Caller } from './auth.ts';
import { adminClient, callDatabase, DatabaseUnavailable } from './database.ts';
import type { BackendSettings } from './env.ts';
import { HttpError } from './http.ts';
import { type PaymentAttempt, callOrders, type PlacedOrder } from './orders.ts';
import { MOST_STEPS, type Ports, settleBlocker } from './payments.ts';

/** The copy of a person's data; netlify/README.md says what it leaves out. */
export async function exportAccount(settings: BackendSettings, { id, email, role }: Caller) {
  const [fromAuth, fromShop] = await Promise.all(
    ['account_from_auth', 'account_as_json'].map((name) =>
      callDatabase(settings, name, { p_user: id }),
    ),
  );
  // Both functions return an object, the first one null for an account that is gone.
  return { account: { id, email, role, ...(fromAuth as object | null) }, ...(fromShop as object) };
}

/**
 * Checks the caller's password with the auth service, because a thief of a phone that is signed in must
 * not be able to delete the account.
 *
 * @throws HttpError 403 for another password, 429 after too many attempts
 * @throws DatabaseUnavailable when the auth service cannot be reached
 */
export async function requirePassword(
  settings: BackendSettings,
  { email }: Caller,
  password: string,
): Promise<void> {
  const { auth } = adminClient(settings);
  const { error } = await auth.signInWithPassword({ email, password });
  if (error === null) {
    // Signing in began a session, which would outlive a deletion that is then refused.
    await auth.signOut({ scope: 'local' });
    return;
  }
  if (!isAuthApiError(error) || error.status >= 500) {
    throw new DatabaseUnavailable(`auth: ${error.message}`, { cause: error });
  }
  if (error.status === 429) {
    throw new HttpError(429, 'Too many attempts. Please try again in a few minutes.');
  }
  throw new HttpError(403, 'This is not the password of your account.', { code: 'password' });
}

/**
 * Deletes an account for good, after closing its payment pages. Called again after a lost answer, it does
 * nothing.
 *
 * @throws HttpError 409 while money of the shopper's is on its way
 * @throws DatabaseUnavailable, ProviderUnavailable when the page may try again
 */
export async function deleteAccount(ports: Ports, userId: string): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const { open, is_removed: isRemoved } = await erase(ports, userId);
    if (open.length === 0) {
      if (!isRemoved) await ports.removeAccount(userId);
      return;
    }
    for (const { attempt, order } of open) await settleBlocker(ports, order, attempt);
  }
  throw new HttpError(409, 'A payment of yours does not come to an end. Please try again later.', {
    code: 'payment-under-way',
  });
}

interface Erasure {
  /** What the shopper may still pay. */
  readonly open: readonly { readonly attempt: PaymentAttempt; readonly order: PlacedOrder }[];
  readonly is_removed: boolean;
}

function erase({ call, now }: Ports, userId: string): Promise<Erasure> {
  return callOrders<Erasure>(call, 'erase_account', {
    p_user: userId,
    p_now: now().toISOString(),
  });
}

/** Implements `Ports.removeAccount`. In hosted projects the SQL function `erase_account` may not delete the account. */
export async function removeAccount(
  settings: BackendSettings,
  userId: string,
  timeoutMs?: number,
): Promise<void> {
  const { error } = await adminClient(settings, timeoutMs).auth.admin.deleteUser(userId);
  if (error !== null && !(isAuthApiError(error) && error.code === 'user_not_found')) {
    throw new DatabaseUnavailable(`auth: ${error.message}`, { cause: error });
  }
}
