import { connection } from '../db/connection.ts';
import { hideShopperExcept } from '../db/feed-stores.ts';
import { removeUnsaved } from '../db/own-data.ts';
import { pageSession } from '../db/session-store.ts';
import { shopperStore } from '../db/shopper-store.ts';
import { type Answer, type BackendFailure, isGone, OFFLINE } from '../domain/failure.ts';
import { accountRemote } from '../remote/account.ts';
import { notify } from '../ui/notices.ts';
import { auth, forgetInTab } from './auth.ts';
import { endRecovery } from './recovery.ts';

// Screens get a new session from `useShopper`. The answers below say what failed, and whether a mail follows.

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

export function resendConfirmation(email: string, captcha?: string): Promise<Answer<null>> {
  return answerIfStored(() => auth.resendConfirmation(email, captcha));
}

export function requestPasswordReset(email: string, captcha?: string): Promise<Answer<null>> {
  return answerIfStored(() => auth.sendPasswordReset(email, captcha));
}

export function changePassword(password: string): Promise<Answer<null>> {
  return answerIfStored(() => auth.updatePassword(password));
}

/**
 * Ends the session on this phone, with or without a network. Unsaved changes stay. Returns false when the
 * phone's storage could not delete the session. The tab then goes on trying, because the stored session would
 * sign the shopper in again at the next start.
 */
export async function logOut(uid: string): Promise<boolean> {
  endRecovery();
  forgetInTab();
  const lateNotice = setTimeout(() => notify('alert', STILL_SIGNED_IN), LATE_AFTER_MS);
  let isForgotten = false;
  const forget = async () => {
    isForgotten = await pageSession.logOut(uid);
  };
  try {
    await auth.signOutLocally(forget);
  } catch (error) {
    // Reading the session has failed, so `forget` was not called.
    void connection.recoverFrom(error);
    await forget();
  } finally {
    clearTimeout(lateNotice);
  }
  hideShopperExcept(null);
  return isForgotten;
}

/** A copy of all that the shop has about the shopper, as the text of a JSON file. */
export async function exportOwnData(uid: string): Promise<Answer<string>> {
  const answer = await accountRemote(auth, uid).exportAccount();
  if (!answer.ok) return { ok: false, failure: inWords(answer.failure) };
  // Another shopper may have signed in before the answer came. The dialog has closed by then and shows no
  // failure.
  if (!isSignedIn(uid)) return OFFLINE;
  return { ok: true, value: JSON.stringify(answer.value, null, 2) };
}

/** Deletes the account for good, at the shop and on this device. */
export async function deleteAccount(uid: string, password: string): Promise<Answer<null>> {
  const answer = await accountRemote(auth, uid).deleteAccount(password);
  // An earlier request may have deleted the account, though the shop's answer was lost.
  if (!answer.ok && !isGone(answer.failure)) return { ok: false, failure: inWords(answer.failure) };
  await forgetAccount(uid);
  return { ok: true, value: null };
}

/** Removes a deleted account's data from this device, with the changes that it had not saved, and says so. */
export async function forgetAccount(uid: string): Promise<void> {
  // Another shopper may have signed in before the answer about this account came.
  let isForgotten = !isSignedIn(uid) || (await logOut(uid));
  try {
    await connection.storage.write((db) => removeUnsaved(db, uid));
  } catch (error) {
    await connection.recoverFrom(error);
    isForgotten = false;
  }
  if (isForgotten) {
    notify('status', 'Your account was deleted. We’ve removed its data from this device.');
  } else notify('alert', STILL_HERE);
}

const STILL_HERE =
  'Your account was deleted. We couldn’t delete its data on this device because the storage is failing. Clear ' +
  'this site’s data in your browser settings.';

function isSignedIn(uid: string): boolean {
  return shopperStore.snapshot()?.shopper.uid === uid;
}

/** Turns the end of a session into a rejection, whose message the forms show. */
function inWords(failure: BackendFailure): BackendFailure {
  if (failure.kind !== 'sign-in') return failure;
  const message = 'Your session has ended. Log in again first.';
  return { kind: 'rejected', status: 401, code: 'sign-in', message };
}

/** A frozen tab may block the storage. After this time the user is told that the logout waits. */
const LATE_AFTER_MS = 1000;
const STILL_SIGNED_IN = 'Still logging you out. Don’t hand this device to anyone yet.';

/** Returns the call's answer, or a rejection when the browser cannot store what it needs: a session, or the key to a mail. */
async function answerIfStored<T>(call: () => Promise<Answer<T>>): Promise<Answer<T>> {
  try {
    return await call();
  } catch (error) {
    // Reports an error of another kind; the form shows the message below in any case.
    void connection.recoverFrom(error);
    const message = 'This didn’t work because this browser’s storage is blocked or full.';
    return { ok: false, failure: { kind: 'rejected', status: 0, code: 'storage', message } };
  }
}
