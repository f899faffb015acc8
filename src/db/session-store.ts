/**
 * Where auth-js stores its session. A renewed session and a logout outlive a write that fails or waits: the tab
 * works with them from the moment when they are made, tells the other tabs, and tries until the device has stored
 * them. A tab that went on with the old refresh token would renew it a second time, and the auth service ends a
 * session whose token is two generations old. A logout that is not stored would show the shopper again.
 */
import { createStore } from '../browser/store.ts';
import { pause } from '../browser/pause.ts';
import { fieldsOf, parseJson } from '../domain/fields.ts';
import { connection } from './connection.ts';
import type { WeftDatabase } from './database.ts';
import { forgetShopper, storedSession, replaceSession, userOf } from './identity.ts';
import { SESSION_KEY } from './names.ts';
import { isStorageFailure, storagePauseMs } from './storage-failure.ts';

/** What the tabs of this shop tell each other about the session, because the device may answer late or fail. */
type SessionNews =
  | { readonly kind: 'login'; readonly uid: string }
  | { readonly kind: 'logout'; readonly uid: string }
  /** The session with the refresh token `replaces` was renewed; `text` is the new one, as auth-js stores it. */
  | { readonly kind: 'renewal'; readonly replaces: string; readonly text: string };

/** A renewal or a logout that the device has not stored yet. */
type Unstored = Exclude<SessionNews, { kind: 'login' }>;

interface SessionStoreOptions {
  readonly database: () => WeftDatabase;
  /** Runs a write, and repeats it if the storage fails. */
  readonly write?: <T>(work: (db: WeftDatabase) => Promise<T>) => Promise<T>;
  readonly tell?: (news: SessionNews) => void;
}

/** Has the shape of `SessionStore` in `remote`. */
export function sessionStore({
  database,
  write = (work) => work(database()),
  tell = () => undefined,
}: SessionStoreOptions) {
  const unstored = createStore<Unstored | null>(null);
  /** The session that this tab has read or renewed last. */
  let last: string | null = null;

  /** The session that counts in this tab while the device has `stored`: an unstored renewal or logout goes first. */
  function effectiveSession(stored: string | null): string | null {
    const news = unstored.snapshot();
    if (news?.kind === 'renewal' && tokenOf(stored) === news.replaces) return news.text;
    return news?.kind === 'logout' && userOf(stored)?.uid === news.uid ? null : stored;
  }

  /** Runs in the write's transaction: before that, a shopper who has logged out may have logged in again. */
  function mayReplace(stored: string | null, test: (stored: string | null) => boolean): boolean {
    const session = effectiveSession(stored);
    // Of a shopper who has logged out: the logout deletes it as soon as the device can.
    if (session === null && stored !== null) return false;
    return test(session);
  }

  async function readEffectiveSession(): Promise<string | null> {
    try {
      return effectiveSession(await storedSession(database()));
    } catch (error) {
      const news = unstored.snapshot();
      if (!news || !isStorageFailure(error)) throw error;
      return news.kind === 'renewal' ? news.text : null;
    }
  }

  /** Writes the news unless another tab has replaced that session meanwhile. False if the storage fails. */
  async function storeOnce(news: Unstored): Promise<boolean> {
    try {
      await write(async (db) => {
        if (news.kind === 'logout') await forgetShopper(db, news.uid);
        else await replaceSession(db, (stored) => tokenOf(stored) === news.replaces, news.text);
      });
    } catch (error) {
      if (!isStorageFailure(error)) reportError(error);
      return false;
    }
    if (unstored.snapshot() === news) unstored.set(null);
    return true;
  }

  async function goOnStoring(news: Unstored): Promise<void> {
    for (let failures = 1; unstored.snapshot() === news; failures += 1) {
      await pause(storagePauseMs(failures));
      if (unstored.snapshot() === news) await storeOnce(news);
    }
  }

  /** Returns whether the device has stored the news; if not, the tab goes on trying. */
  async function store(news: Unstored): Promise<boolean> {
    unstored.set(news);
    const isStored = await storeOnce(news);
    if (!isStored) void goOnStoring(news);
    return isStored;
  }

  function storeAndTell(news: Unstored): Promise<boolean> {
    tell(news);
    return store(news);
  }

  return {
    key: SESSION_KEY,

    async getItem(key: string): Promise<string | null> {
      if (key !== SESSION_KEY) return (await database().session.get(key))?.value ?? null;
      last = await readEffectiveSession();
      return last;
    },

    /** Stores a login. auth-js also calls this with a renewed session, which `replaceIf` has got before. */
    async setItem(key: string, value: string): Promise<void> {
      if (key !== SESSION_KEY) {
        await write((db) => db.session.put({ key, value }));
        return;
      }
      try {
        await write((db) => replaceSession(db, () => true, value));
      } catch (error) {
        const news = unstored.snapshot();
        if (news?.kind === 'renewal' && tokenOf(news.text) === tokenOf(value)) return;
        throw error;
      }
      unstored.set(null);
      const user = userOf(value);
      if (user) tell({ kind: 'login', uid: user.uid });
    },

    /** Tells no other tab: the removal counts only once it is stored, and other tabs read it there. */
    async removeItem(key: string): Promise<void> {
      if (key === SESSION_KEY) await write((db) => replaceSession(db, () => true, null));
      else await write((db) => db.session.delete(key));
    },

    /**
     * Replaces the session by `next` (null deletes it) if it passes `test`. Returns whether it passed.
     *
     * A renewal of the session that this tab works with counts at once, and is stored as soon as the device can.
     * Anything else is tested and written in one transaction.
     */
    async replaceIf(
      test: (stored: string | null) => boolean,
      next: string | null,
    ): Promise<boolean> {
      const news = unstored.snapshot();
      const token = tokenOf(last);
      // The session of a shopper who has logged out is neither renewed nor ended: it will be deleted.
      if (news?.kind === 'logout' && (next === null || userOf(next)?.uid === news.uid))
        return false;
      if (next === null || token === null || !test(last)) {
        return write((db) => replaceSession(db, (stored) => mayReplace(stored, test), next));
      }
      // The device may still have an older session than the one that was renewed now.
      const isOfNews = news?.kind === 'renewal' && tokenOf(news.text) === token;
      const replaces = isOfNews ? news.replaces : token;
      last = next;
      await storeAndTell({ kind: 'renewal', replaces, text: next });
      return true;
    },

    /** Returns whether the device has stored the logout; if not, the tab goes on trying. */
    logOut: (uid: string): Promise<boolean> => storeAndTell({ kind: 'logout', uid }),

    /** Whether this shopper has logged out, though the device may not know. */
    isLoggedOut(uid: string): boolean {
      const news = unstored.snapshot();
      return news?.kind === 'logout' && news.uid === uid;
    },

    /**
     * Applies another tab's news to this tab, which helps to store them. A logout beats a renewal, because the shopper
     * has asked for it; only a later login of the same shopper ends it.
     */
    hear(news: SessionNews): void {
      const own = unstored.snapshot();
      if (news.kind === 'logout') void store(news);
      else if (own?.kind !== 'logout' && news.kind === 'renewal') void store(news);
      else if (own?.kind === 'logout' && news.kind === 'login' && news.uid === own.uid) {
        unstored.set(null);
      }
    },

    /** Calls `listener` when something waits to be stored, or no longer does. */
    subscribe: unstored.subscribe,
  };
}

function tokenOf(session: string | null): string | null {
  const { refresh_token } = fieldsOf(parseJson(session));
  return typeof refresh_token === 'string' ? refresh_token : null;
}

/** Null until `hearTabs`, and always in a browser without `BroadcastChannel`. Then the tab behaves as the only one. */
let channel: BroadcastChannel | null = null;

/** Calls `listener` with other tabs' news. Returns a function that ends this. */
export function hearTabs(listener: (news: SessionNews) => void): () => void {
  if (!('BroadcastChannel' in globalThis)) return () => undefined;
  const opened = new BroadcastChannel('weft-tabs');
  opened.onmessage = ({ data }: MessageEvent<unknown>) => {
    const news = parseNews(data);
    if (news) listener(news);
  };
  channel = opened;
  return () => opened.close();
}

/** Null for a message that only another build knows. */
function parseNews(data: unknown): SessionNews | null {
  const { kind, uid, replaces, text } = fieldsOf(data);
  if ((kind === 'login' || kind === 'logout') && typeof uid === 'string') return { kind, uid };
  if (kind === 'renewal' && typeof replaces === 'string' && typeof text === 'string') {
    return { kind, replaces, text };
  }
  return null;
}

/** The session of this page. */
export const pageSession = sessionStore({
  database: () => connection.db,
  write: (work) => connection.storage.write(work),
  tell: (news) => {
    // A tab in memory has a session of its own, which the device's tabs must not take for theirs.
    if (news.kind !== 'renewal' || connection.kept !== 'memory') channel?.postMessage(news);
  },
});
