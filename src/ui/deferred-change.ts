/**
 * Changes that wait for a login.
 *
 * A tab keeps one change in `sessionStorage` from the moment when its alert opens the login. Once the form that
 * the alert opened has signed in, the form's email address is stored with the change, and
 * `first-visit/after-login.ts` makes the change when the shopper of that address is signed in. After a registration
 * that awaits a mail, the change waits for the login to which the registration leads in the same tab.
 */
import type { Answer } from '../domain/failure.ts';
import { fieldsOf, parseJson } from '../domain/fields.ts';
import { type DeferredChange, deferredKey } from './log-in-first.ts';

/** Longer than it takes to find a mail. */
const GOOD_FOR_MS = 30 * 60_000;

let announceReady: () => void = () => undefined;

/** Sets the listener that is called when the shopper of a waiting change may be signed in. */
export function onDeferredReady(listener: () => void): void {
  announceReady = listener;
}

/** The change that waits in this tab. Deletes a change that is too old. */
export function deferredChange(nowMs: number): DeferredChange | null {
  const deferred = stored();
  // The absolute difference, because the phone's clock may have been set back.
  if (deferred && Math.abs(nowMs - deferred.tappedAtMs) < GOOD_FOR_MS) return deferred;
  deferredKey.clear();
  return null;
}

/**
 * Says what a login will add; null when no such change waits in this tab.
 *
 * @param id the change that the form's URL names; null for none
 */
export function deferredWords(id: string | null): string | null {
  const deferred = deferredChange(Date.now());
  if (!deferred || deferred.id !== id) return null;
  const place = deferred.kind === 'cart.add' ? 'cart' : 'favourites';
  return `Once you’re logged in, we’ll add this to your ${place}: ${deferred.productName}.`;
}

/** Forgets a change that is done. */
export function forgetDeferred(id: string): void {
  if (stored()?.id === id) deferredKey.clear();
}

/** Forgets what waits at a logout, because the next user of this tab did not tap it. */
export function forgetAnyDeferred(): void {
  deferredKey.clear();
}

/**
 * Sends a login or a registration. If it signs the shopper in, stores the form's email with the waiting change.
 *
 * @param id the change that the form was opened for, from the form's URL
 * @param send answers `confirm` when a mail must be followed first
 */
export async function sendWithDeferred<T>(
  id: string | null,
  email: string,
  send: () => Promise<Answer<T>>,
  now: () => number = Date.now,
): Promise<Answer<T>> {
  const waitingBefore = deferredChange(now());
  // Clears the email of an earlier login. Otherwise, if that shopper signs in again in another tab, this tab
  // would make the change for them before this login is answered.
  if (waitingBefore) write({ ...waitingBefore, email: null });
  const answer = await send();
  if (!answer.ok || answer.value === 'confirm') return answer;
  // Reads the change again: a logout may have deleted it, or another tap may have replaced it.
  const waiting = deferredChange(now());
  // A form whose URL does not name the waiting change must not make it.
  if (waiting?.id !== id) return answer;
  write({ ...waiting, email: email.toLowerCase() });
  announceReady();
  return answer;
}

function write(deferred: DeferredChange): void {
  deferredKey.write(JSON.stringify(deferred));
}

function stored(): DeferredChange | null {
  const value = parseJson(deferredKey.read());
  return isDeferred(value) ? value : null;
}

function isDeferred(value: unknown): value is DeferredChange {
  const { id, kind, productId, productName, tappedAtMs } = fieldsOf(value);
  return (
    typeof id === 'string' &&
    (kind === 'cart.add' || kind === 'favourite.add') &&
    typeof productId === 'number' &&
    typeof productName === 'string' &&
    typeof tappedAtMs === 'number'
  );
}
