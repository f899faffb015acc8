/**
 * Keeps the session the same in all tabs when one tab cannot use the device's storage and works in memory.
 * The other tabs tell that tab who signs in (below) or out (`mutations.ts`). That tab renews the session only
 * while no other tab can, and then sends the renewed session to the other tabs: the auth service ends a
 * session whose refresh token is used twice.
 */
import type { Connection } from '../db/connection.ts';
import type { TabChannel } from '../db/tab-channel.ts';
import { parseSession, type SessionStore } from '../remote/auth/session.ts';

/** Tells whether this tab keeps its data on the device or in memory. */
type Home = Pick<Connection, 'kept' | 'failover'>;

/** Wraps the store: tells other tabs of changes that they cannot see in the database. */
export function announcingToTabs(store: SessionStore, home: Home, tabs: TabChannel): SessionStore {
  const { key } = store;
  /** The refresh token of the session that this tab has last seen. */
  let seenToken: string | undefined;

  /** The stored session as text. */
  async function present(): Promise<string | null> {
    const text = await store.getItem(key);
    seenToken = parseSession(text)?.refreshToken;
    return text;
  }

  async function writeAndPost<T>(isLogin: boolean, write: () => Promise<T>): Promise<T> {
    const before = parseSession(await present());
    const result = await write();
    const text = await present();
    const after = parseSession(text);
    if (text === null || !after || after.refreshToken === before?.refreshToken) return result;
    // A login as the same shopper is announced too: other tabs may still show another shopper.
    const isSameShopper = after.uid === before?.uid;
    if (isLogin || !isSameShopper) tabs.post({ kind: 'shopper', uid: after.uid });
    if (isSameShopper && home.kept === 'memory') {
      tabs.post({ kind: 'session', replaces: before.refreshToken, text });
    }
    return result;
  }

  return {
    ...store,
    getItem: (name) => (name === key ? present() : store.getItem(name)),
    setItem(name, value) {
      // Announces a login before storing it, not only after: a frozen tab may block the storage, and meanwhile
      // a tab in memory must not show the last shopper again. auth-js also passes on a session that
      // `replaceIf` has just stored: its token is `seenToken`, and it is no login.
      const session = name === key ? parseSession(value) : null;
      if (session && session.refreshToken !== seenToken) {
        tabs.post({ kind: 'shopper', uid: session.uid });
      }
      return writeAndPost(true, () => store.setItem(name, value));
    },
    replaceIf: (name, test, next) => writeAndPost(false, () => store.replaceIf(name, test, next)),
  };
}

/**
 * Applies the messages of other tabs. Returns a function that stops this.
 *
 * @param showNoOther stops showing every shopper but this one; all of them for null
 */
export function followTabs(
  store: SessionStore,
  home: Home,
  tabs: TabChannel,
  showNoOther: (uid: string | null) => void,
): () => void {
  tabs.open();
  return tabs.listen((message) => {
    switch (message.kind) {
      case 'asked':
        if (home.kept === 'device') tabs.post({ kind: 'here' });
        break;
      case 'here': // `isAnotherHere` listens for this
        break;
      case 'shopper':
        void home.failover.forgetAllBut(message.uid);
        showNoOther(message.uid);
        break;
      case 'session': {
        const isReplaced = (text: string | null) =>
          parseSession(text)?.refreshToken === message.replaces;
        // If this tab's storage fails too, it renews the session itself later, or signs in again.
        void store.replaceIf(store.key, isReplaced, message.text).catch(() => undefined);
        break;
      }
    }
  });
}

/**
 * `fetch`, except that a tab in memory sends no renewal while another tab can renew, or with a token that
 * another tab has replaced. Renewals hold one lock over all tabs, so the messages about an earlier renewal
 * have arrived when this one begins.
 */
export function fetchUnlessRenewedElsewhere(
  store: SessionStore,
  home: Home,
  tabs: TabChannel,
): typeof globalThis.fetch {
  return async (input, init) => {
    const isRenewal = typeof input === 'string' && input.includes('grant_type=refresh_token');
    if (isRenewal && home.kept === 'memory') {
      const isAnotherHere = await tabs.isAnotherHere();
      const token = parseSession(await store.getItem(store.key))?.refreshToken;
      const body = typeof init?.body === 'string' ? init.body : '';
      // The body is JSON, and the token stands in it as a JSON string.
      const isStored = token !== undefined && body.includes(JSON.stringify(token));
      // The caller treats this error like a missing network and tries again later.
      if (isAnotherHere || !isStored) throw new TypeError('another tab renews the session');
    }
    return fetch(input, init);
  };
}
