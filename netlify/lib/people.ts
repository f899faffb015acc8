/** What a person may ask of the shop: a copy of all that it has about them, and to be forgotten. */
import { isAuthApiError } from '@supabase/supabase-js';
import type { Caller } from './auth.ts';
import { adminClient, callDatabase, DatabaseUnavailable } from './database.ts';
import type { BackendSettings } from './env.ts';
import { HttpError } from './http.ts';
import type { Attempt, PlacedOrder } from './orders.ts';
import { callOrders } from './orders.ts';
import type { Ports } from './payments.ts';
import { MOST_STEPS } from './payments.ts';
import { settleBlocker } from './wallet-checkout.ts';

/** The shopper's own copy: `account_as_json`, and who they are to the auth service. */
export async function exportAccount(settings: BackendSettings, { id, email, role }: Caller) {
  const data = await callDatabase(settings, 'account_as_json', { p_user: id });
  return { account: { id, email, role }, ...(data as object) }; // what account_as_json returns
}

/** Whether its owner has deleted the account; false for one that is merely missing. */
export async function wasDeleted(settings: BackendSettings, userId: string): Promise<boolean> {
  return (await callDatabase(settings, 'account_was_deleted', { p_user: userId })) === true;
}

/**
 * Asks the auth service whether this is the caller's password: a thief of a phone that is signed in
 * must not delete the account.
 *
 * @throws HttpError 403 for another password, 429 after too many
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
    // The account may stay, while a payment is being confirmed; this session must not.
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

export interface DeletionPorts extends Ports {
  /** Deletes the account at the auth service; succeeds where it is gone already. */
  readonly removeAccount: (userId: string) => Promise<void>;
}

/**
 * Deletes an account for good. Payment pages that are open are closed first. Called again after an
 * answer was lost, it does nothing.
 *
 * @throws HttpError 409 while money of the shopper's is on its way
 * @throws DatabaseUnavailable, ProviderUnavailable when the page may try again
 */
export async function deleteAccount(ports: DeletionPorts, userId: string): Promise<void> {
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
  readonly open: readonly { readonly attempt: Attempt; readonly order: PlacedOrder }[];
  readonly is_removed: boolean;
}

function erase({ call, now }: Ports, userId: string): Promise<Erasure> {
  return callOrders<Erasure>(call, 'erase_account', {
    p_user: userId,
    p_now: now().toISOString(),
  });
}

/** Deletes accounts where the database itself may not (`erase_account`). */
export function accountRemover(settings: BackendSettings) {
  return async (userId: string): Promise<void> => {
    const { error } = await adminClient(settings).auth.admin.deleteUser(userId);
    if (error !== null && !(isAuthApiError(error) && error.code === 'user_not_found')) {
      throw new DatabaseUnavailable(`auth: ${error.message}`, { cause: error });
    }
  };
}
