import { connection } from '../db/connection.ts';
import type { WeftDatabase } from '../db/database.ts';
import { showNoOther } from '../db/feed-stores.ts';
import { forgetShopper } from '../db/identity.ts';
import { readUnsavedHere, removeWaiting } from '../db/own-data.ts';
import { didSucceed, tryOnDevice } from '../db/open.ts';
import { hintShopper } from '../db/shopper-hint.ts';
import { shopperStore } from '../db/shopper-store.ts';
import { forgetShopperData } from '../db/shopper-log.ts';
import { tabs } from '../db/tab-channel.ts';
import { type Answer, type BackendFailure, OFFLINE } from '../domain/failure.ts';
import { accountRemote } from '../remote/account.ts';
import { notify } from '../ui/notices.ts';
import { auth } from './auth.ts';
import { endRecovery } from './recovery.ts';
import { forgetInTab } from './tab-storage.ts';

// Every tab sees a new session in `useShopper`; these answers tell of failures, and of a mail to follow.

export function signIn(email: string, password: string, captcha?: string): Promise<Answer<null>> {
  return answerIfStored(() => auth.signIn(email, password, captcha));
}

export function register(
  email: string,
  password: string,
  captcha?: string,
): Promise<Answer<'confirm' | 'signed-in'>> {
  return answerIfStored(() => auth.signUp(email, password, captcha));
}

export function requestPasswordReset(email: string, captcha?: string): Promise<Answer<null>> {
  return auth.sendPasswordReset(email, captcha);
}

export function changePassword(password: string): Promise<Answer<null>> {
  return answerIfStored(() => auth.updatePassword(password));
}

/**
 * Ends the session on this phone, with or without a network. Unsaved changes stay. False when the
 * phone's storage could not delete the session: the next start would sign the shopper in again.
 */
export async function logOut(): Promise<boolean> {
  endRecovery();
  forgetInTab();
  const { failover } = connection;
  const forget = async (db: WeftDatabase) => {
    await forgetShopper(db, forgetShopperData);
    if (connection.kept !== 'device') return;
    // If the storage fails later, the tab in memory must not bring the last shopper back.
    failover.remember(null);
    hintShopper(null);
  };
  const lateNotice = setTimeout(() => notify('alert', STILL_SIGNED_IN), PATIENCE_MS);
  tabs.post({ kind: 'shopper', uid: null });
  try {
    await auth.signOutLocally(() => failover.keep(forget));
  } catch (error) {
    // The session could not be read, perhaps: the tab forgets it all the same.
    void connection.recoverFrom(error);
    if (!(await didSucceed(failover.keep(forget)))) return false;
  }
  clearTimeout(lateNotice);
  showNoOther(null);
  // Once more, for tabs that were opened while a frozen tab held up this logout.
  tabs.post({ kind: 'shopper', uid: null });
  // A tab that works in memory has left its data on the device too, where the next start reads them.
  return connection.kept === 'device' || tryOnDevice(forget);
}

/** A copy of all that the shop and this device have about the shopper, as the text of a JSON file. */
export async function exportOwnData(uid: string): Promise<Answer<string>> {
  const answer = await accountRemote(auth, uid).exportAccount();
  if (!answer.ok) return { ok: false, failure: inWords(answer.failure) };
  const onlyHere = await readUnsavedHere(connection.db, uid).catch(() => null);
  // Another shopper may have signed in before the answer came. The dialog has closed by then and shows no
  // failure.
  if (!isSignedIn(uid)) return OFFLINE;
  const copy = { ...answer.value, only_on_this_device: onlyHere };
  return { ok: true, value: JSON.stringify(copy, null, 2) };
}

/** Deletes the account for good, and what this device has of it. */
export async function deleteAccount(uid: string, password: string): Promise<Answer<null>> {
  const remote = accountRemote(auth, uid);
  const answer = await remote.deleteAccount(password);
  if (!answer.ok) {
    // The shop may have deleted the account although its answer was lost, now or before.
    const isUnclear = answer.failure.kind !== 'rejected' || answer.failure.status === 401;
    const asked = isUnclear ? await remote.wasDeleted() : null;
    if (!asked?.ok || !asked.value) return { ok: false, failure: inWords(answer.failure) };
  }
  await forgetAccount(uid);
  return { ok: true, value: null };
}

/** Asks the shop whether its owner has deleted this account, on whatever device. */
export function wasDeleted(uid: string): Promise<Answer<boolean>> {
  return accountRemote(auth, uid).wasDeleted();
}

/** Removes an account that is gone from this device, with the changes that waited for it. */
export async function forgetAccount(uid: string): Promise<void> {
  // Another shopper may have signed in before the answer about this account came.
  if (isSignedIn(uid)) await logOut();
  await connection.failover
    .keep((db) => removeWaiting(db, uid))
    .catch((error: unknown) => connection.recoverFrom(error));
}

function isSignedIn(uid: string): boolean {
  return shopperStore.snapshot()?.shopper.uid === uid;
}

/** Puts the end of a session into words as a rejection, whose sentence the forms show. */
function inWords(failure: BackendFailure): BackendFailure {
  if (failure.kind !== 'sign-in') return failure;
  const message = 'Your session has ended. Please sign in again first.';
  return { kind: 'rejected', status: 401, code: 'sign-in', message };
}

/** A frozen tab may hold the storage up; after this time the user learns that the logout waits. */
const PATIENCE_MS = 1000;
const STILL_SIGNED_IN =
  'Waiting for this device’s storage. You are signed in until it answers; do not hand it on yet.';

/** The answer of a call; `rejected` when this browser cannot store its session, and goes on in memory. */
async function answerIfStored<T>(call: () => Promise<Answer<T>>): Promise<Answer<T>> {
  try {
    return await call();
  } catch (error) {
    // Reports an error that is not the storage's; the form shows the sentence below in any case.
    void connection.recoverFrom(error);
    const message = 'This browser could not keep the sign-in: its storage is blocked or full.';
    return { ok: false, failure: { kind: 'rejected', status: 0, code: 'storage', message } };
  }
}
