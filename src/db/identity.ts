/**
 * Keeps the row `shopper` in step with the session that auth-js stores, in the same transaction:
 * storing a session writes the row, removing a session marks it `ended`. Only a logout deletes it. So
 * screens read the shopper from the database and never wait for the auth service.
 */
import { fieldsOf, parseJson } from '../domain/fields.ts';
import type { ShopperRow, WeftDatabase } from './database.ts';
import { SESSION_KEY } from './schema.ts';
import { forgetShopperData, forgettable, readShopper } from './shopper-log.ts';

/**
 * auth-js's asynchronous storage over the open database. Has the shape of `SessionStore` in `remote`.
 *
 * @param keep repeats a write if the storage fails, because a renewed session must not be lost
 */
export function sessionStore(
  open: () => WeftDatabase,
  keep: <T>(work: (db: WeftDatabase) => Promise<T>) => Promise<T> = (work) => work(open()),
) {
  async function write(db: WeftDatabase, key: string, value: string | null): Promise<void> {
    if (value === null) await db.session.delete(key);
    else await db.session.put({ key, value });
    if (key === SESSION_KEY) await updateShopper(db, value);
  }

  function writing<T>(work: (db: WeftDatabase) => Promise<T>): Promise<T> {
    return keep((db) => db.transaction('rw', [db.session, ...forgettable(db)], () => work(db)));
  }

  return {
    key: SESSION_KEY,
    async getItem(key: string): Promise<string | null> {
      return (await open().session.get(key))?.value ?? null;
    },
    setItem: (key: string, value: string) => writing((db) => write(db, key, value)),
    removeItem: (key: string) => writing((db) => write(db, key, null)),
    /** Stores `next` (null deletes) if the stored value passes the test. Returns whether it did. */
    replaceIf: (key: string, test: (stored: string | null) => boolean, next: string | null) =>
      writing(async (db) => {
        const stored = await db.session.get(key);
        if (!test(stored?.value ?? null)) return false;
        await write(db, key, next);
        return true;
      }),
  };
}

/**
 * A logout: deletes session, shopper and the shopper's data from this phone, in one transaction. Unsaved changes
 * stay.
 */
export function forgetShopper(db: WeftDatabase): Promise<void> {
  return db.transaction('rw', [db.session, ...forgettable(db)], async () => {
    const shopper = await readShopper(db);
    await db.session.clear();
    await db.meta.delete('shopper');
    if (shopper) await forgetShopperData(db, shopper.uid);
  });
}

/**
 * Marks the session of this shopper as ended, so that changes wait for the next login. Does nothing if
 * another shopper is signed in, or if a session of this shopper is stored: then the auth service's answer
 * was about an older session. Where the session was removed, the row says `ended` already; it still says `live`
 * where the stored session is damaged, or was lost without being removed.
 */
export async function endSession(db: WeftDatabase, uid: string): Promise<void> {
  await db.transaction('rw', db.meta, db.session, async () => {
    const shopper = await readShopper(db);
    const stored = await db.session.get(SESSION_KEY);
    if (shopper?.uid !== uid || (stored && userOf(stored.value)?.uid === uid)) return;
    await db.meta.put({ ...shopper, session: 'ended' });
  });
}

/**
 * Writes the row `shopper` that belongs to this session.
 *
 * @param session as auth-js stores it; null if it was removed
 */
async function updateShopper(db: WeftDatabase, session: string | null): Promise<void> {
  const user = session === null ? null : userOf(session);
  if (user) {
    const last = await readShopper(db);
    // Another shopper signs in without a logout before: only unsaved changes of the last shopper stay.
    if (last && last.uid !== user.uid) await forgetShopperData(db, last.uid);
    await db.meta.put({ key: 'shopper', ...user, session: 'live' });
    return;
  }
  const shopper = await readShopper(db);
  if (shopper?.session === 'live') await db.meta.put({ ...shopper, session: 'ended' });
}

/** The user in a session of GoTrue; null for any other text. */
function userOf(session: string): Pick<ShopperRow, 'uid' | 'email' | 'role'> | null {
  const { id, email, app_metadata } = fieldsOf(fieldsOf(parseJson(session))['user']);
  const { role } = fieldsOf(app_metadata);
  if (typeof id !== 'string') return null;
  return {
    uid: id,
    email: typeof email === 'string' ? email : '',
    ...(typeof role === 'string' && { role }),
  };
}
