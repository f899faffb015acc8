/**
 * Keeps the row `shopper` in step with the session that auth-js stores, in the same transaction:
 * storing a session writes the row, removing a session marks it `ended`. Only a logout deletes it. So
 * screens read the shopper from the database and never wait for the auth service.
 */
import { fieldsOf, parseJson } from '../domain/fields.ts';
import type { ShopperRow, WeftDatabase } from './database.ts';
import { SESSION_KEY } from './names.ts';
import { deviceId, forgetShopperData, forgettable, readShopper } from './shopper-data.ts';

/** The session as auth-js stores it; null when there is none. */
export async function storedSession(db: WeftDatabase): Promise<string | null> {
  return (await db.session.get(SESSION_KEY))?.value ?? null;
}

/** Replaces the session by `next` (null removes it) if the stored one passes `test`. Returns whether it passed. */
export function replaceSession(
  db: WeftDatabase,
  test: (stored: string | null) => boolean,
  next: string | null,
): Promise<boolean> {
  return db.transaction('rw', [db.session, ...forgettable(db)], async () => {
    if (!test(await storedSession(db))) return false;
    if (next === null) await db.session.delete(SESSION_KEY);
    else await db.session.put({ key: SESSION_KEY, value: next });
    await updateShopper(db, next);
    return true;
  });
}

/**
 * A logout of this shopper: deletes session, shopper and the shopper's data from this phone, in one transaction.
 * Unsaved changes stay. Does nothing if another shopper has signed in.
 */
export function forgetShopper(db: WeftDatabase, uid: string): Promise<void> {
  return db.transaction('rw', [db.session, ...forgettable(db)], async () => {
    const shopper = await readShopper(db);
    if (shopper && shopper.uid !== uid) return;
    await db.session.clear();
    await db.meta.delete('shopper');
    await forgetShopperData(db, uid);
  });
}

/**
 * Marks the session of this shopper as ended, so that changes wait for the next login. Does nothing if
 * another shopper is signed in, or if a session of this shopper is stored: then the auth service's answer
 * was about an older session. Needed where the stored session is damaged or lost: `replaceSession`, which marks the
 * row when it removes a session, has not run then.
 */
export async function endSession(db: WeftDatabase, uid: string): Promise<void> {
  await db.transaction('rw', db.meta, db.session, async () => {
    const shopper = await readShopper(db);
    const stored = await storedSession(db);
    if (shopper?.uid !== uid || userOf(stored)?.uid === uid) return;
    await db.meta.put({ ...shopper, session: 'ended' });
  });
}

/**
 * Writes the row `shopper` that belongs to this session.
 *
 * @param session as auth-js stores it; null if it was removed
 */
async function updateShopper(db: WeftDatabase, session: string | null): Promise<void> {
  const user = userOf(session);
  if (user) {
    const last = await readShopper(db);
    // Another shopper signs in without a logout before: only unsaved changes of the last shopper stay.
    if (last && last.uid !== user.uid) await forgetShopperData(db, last.uid);
    // The device has its id before its first change, so a backup of its storage from later has the same id.
    await deviceId(db);
    await db.meta.put({ key: 'shopper', ...user, session: 'live' });
    return;
  }
  const shopper = await readShopper(db);
  if (shopper?.session === 'live') await db.meta.put({ ...shopper, session: 'ended' });
}

/** The user in a session of GoTrue; null for any other text. */
export function userOf(session: string | null): Pick<ShopperRow, 'uid' | 'email' | 'role'> | null {
  const { id, email, app_metadata } = fieldsOf(fieldsOf(parseJson(session))['user']);
  const { role } = fieldsOf(app_metadata);
  if (typeof id !== 'string') return null;
  return {
    uid: id,
    email: typeof email === 'string' ? email : '',
    ...(typeof role === 'string' && { role }),
  };
}
