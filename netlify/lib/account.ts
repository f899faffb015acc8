/** Gives people a copy of their data, and deletes their accounts. */
import type { Caller } from './auth.ts';
import { callDatabase } from './database.ts';
import type { BackendSettings } from './env.ts';
import { HttpError } from './http.ts';
import { callOrders, type PaymentAttempt, type PlacedOrder } from './orders.ts';
import { MOST_STEPS, settleBlocker } from './payments.ts';
import type { Ports } from './ports.ts';

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
  throw new HttpError(409, 'One of your payments is still going through. Try again later.', {
    code: 'payment-under-way',
  });
}

interface Erasure {
  /** What the shopper may still pay. Nothing is deleted before all of these are closed. */
  readonly open: readonly { readonly attempt: PaymentAttempt; readonly order: PlacedOrder }[];
  /** Whether the account itself is gone; a hosted project leaves that to the auth service. */
  readonly is_removed: boolean;
}

function erase({ call, now }: Ports, userId: string): Promise<Erasure> {
  return callOrders<Erasure>(call, 'erase_account', {
    p_user: userId,
    p_now: now().toISOString(),
  });
}
