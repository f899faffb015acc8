import { connection } from '../db/connection.ts';
import type { WeftDatabase } from '../db/database.ts';
import { forgetShopper } from '../db/identity.ts';
import { tryOnDevice } from '../db/open.ts';
import { hintShopper } from '../db/shopper-hint.ts';
import { forgetShopperData } from '../db/shopper-log.ts';
import { tabs } from '../db/tab-channel.ts';
import type { Answer } from '../domain/failure.ts';
import { notify } from '../ui/notices.ts';
import { auth } from './auth.ts';
import { endRecovery } from './recovery.ts';

/*
 * What these do shows in `useShopper` of every tab; they answer only with what went wrong.
 */

export function signIn(email: string, password: string): Promise<Answer<null>> {
  return kept(() => auth.signIn(email, password));
}

export function register(
  email: string,
  password: string,
): Promise<Answer<'confirm' | 'signed-in'>> {
  return kept(() => auth.signUp(email, password));
}

export function requestPasswordReset(email: string): Promise<Answer<null>> {
  return auth.sendPasswordReset(email);
}

export function changePassword(password: string): Promise<Answer<null>> {
  return kept(() => auth.updatePassword(password));
}

/**
 * Ends the session on this phone, with or without a network. Unsaved changes stay. False when the
 * phone's storage would not forget the shopper: the next start would sign them in again.
 */
export async function logOut(): Promise<boolean> {
  endRecovery();
  const { failover } = connection;
  const forget = async (db: WeftDatabase) => {
    await forgetShopper(db, forgetShopperData);
    if (connection.kept !== 'device') return;
    // A storage that fails before it is read again must not bring back who was there before.
    failover.remember(null);
    hintShopper(null);
  };
  const late = setTimeout(() => notify('alert', STILL_SIGNED_IN), PATIENCE_MS);
  tabs.post({ kind: 'shopper', uid: null });
  try {
    await auth.signOutLocally(() => failover.keep(forget));
  } catch (error) {
    void connection.recoverFrom(error);
    const isForgotten = failover.keep(forget).then(
      () => true,
      () => false,
    );
    if (!(await isForgotten)) return false;
  }
  clearTimeout(late);
  // Once more: a frozen logout may end long after it began, and tabs have been opened since.
  tabs.post({ kind: 'shopper', uid: null });
  // What was moved to memory lies on the device still, and would be there at the next start.
  return connection.kept === 'device' || tryOnDevice(forget);
}

/** A frozen tab may hold the storage up. */
const PATIENCE_MS = 1000;
const STILL_SIGNED_IN =
  'Waiting for this device’s storage. You are signed in until it answers; do not hand it on yet.';

/** A session that this browser cannot keep is none; the shop then goes on in memory. */
async function kept<T>(call: () => Promise<Answer<T>>): Promise<Answer<T>> {
  try {
    return await call();
  } catch (error) {
    // Reports what is not the storage's; the form shows the sentence below in any case.
    void connection.recoverFrom(error);
    const message = 'This browser could not keep the sign-in: its storage is blocked or full.';
    return { ok: false, failure: { kind: 'rejected', status: 0, code: 'storage', message } };
  }
}
