/**
 * Changes that wait for a login.
 *
 * A tab keeps one in `sessionStorage` from the moment when its alert opens the login. Once the form that the
 * alert opened has signed in, it notes its email address there; `first-visit/after-login.ts` makes the change
 * when the shopper of that address is shown. A registration that awaits a mail hands it over to the tab that
 * the mail opens, in `localStorage`, for that address only.
 */
import type { Answer } from '../domain/failure.ts';
import { fieldsOf, parseJson } from '../domain/fields.ts';
import { type DeferredChange, deferredKey } from './log-in-first.ts';
import { localKey, type StorageKey } from './storage-key.ts';

/** Longer than it takes to find a mail. */
const GOOD_FOR_MS = 30 * 60_000;

const handedOverKey = localKey('weft-handed-over-change');

let announceReady: () => void = () => undefined;

/** Sets the listener for a change whose shopper may be signed in by now. */
export function onDeferredReady(listener: () => void): void {
  announceReady = listener;
}

/** The change that waits in this tab. Deletes what is too old, also in `localStorage`, because it names a shopper. */
export function deferredChange(nowMs: number): DeferredChange | null {
  fresh(handedOverKey, nowMs); // deletes it when its time is over
  return fresh(deferredKey, nowMs);
}

/** Forgets a change that is done, in this tab and for others. */
export function forgetDeferred(id: string): void {
  for (const key of [deferredKey, handedOverKey]) if (parse(key)?.id === id) key.clear();
}

/** At a logout: the next user of this tab did not tap. */
export function forgetAllDeferred(): void {
  deferredKey.clear();
  handedOverKey.clear();
}

/**
 * Sends a login or a registration, and notes for whom the waiting change is.
 *
 * @param id the change that the form was opened for, from the form's URL
 * @param send answers `confirm` when a mail must be followed first
 */
export async function sendFor<T>(
  id: string | null,
  email: string,
  send: () => Promise<Answer<T>>,
  now: () => number = Date.now,
): Promise<Answer<T>> {
  const waitingBefore = deferredChange(now());
  // Clears the email of an earlier login: this tab follows whichever shopper signs in on the device, so a login
  // of that shopper in another tab would make the change here before this one is answered.
  if (waitingBefore) write({ ...waitingBefore, email: null });
  const answer = await send();
  if (!answer.ok) return answer;
  // Read again: a logout may have dropped it, or another tap replaced it.
  const waiting = deferredChange(now());
  // A form whose URL does not name the waiting change must not make it.
  const own = waiting?.id === id ? waiting : null;
  const owner = email.toLowerCase();
  if (answer.value === 'confirm') {
    if (own) handedOverKey.write(JSON.stringify({ ...own, email: owner, isHandedOver: true }));
    return answer;
  }
  if (own) write({ ...own, email: owner });
  else {
    const handedOver = fresh(handedOverKey, now());
    if (handedOver?.email !== owner) return answer;
    handedOverKey.clear();
    write(handedOver);
  }
  announceReady();
  return answer;
}

function write(deferred: DeferredChange): void {
  deferredKey.write(JSON.stringify(deferred));
}

/** The change under a key; null, and gone for good, when its time is over. */
function fresh(key: StorageKey, nowMs: number): DeferredChange | null {
  const deferred = parse(key);
  if (deferred && Math.abs(nowMs - deferred.tappedAtMs) < GOOD_FOR_MS) return deferred;
  key.clear();
  return null;
}

function parse(key: StorageKey): DeferredChange | null {
  const value = parseJson(key.read());
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
