/**
 * How the session agrees over tabs when one of them cannot use the device and goes on in memory: it
 * hears who signs in or out elsewhere, it renews the session only while no other tab can, and then
 * tells the others, for a refresh token that is used twice ends the session.
 */
import type { Connection } from '../db/connection.ts';
import type { TabChannel } from '../db/tab-channel.ts';
import { parseSession, type SessionStore } from '../remote/auth/session.ts';

type Home = Pick<Connection, 'kept' | 'failover'>;

/** The store, with word given to other tabs of what they could not see in the database. */
export function toldToTabs(store: SessionStore, home: Home, tabs: TabChannel): SessionStore {
  const { key } = store;
  /** Of the session that this tab has last seen. */
  let seenToken: string | undefined;

  async function present(): Promise<string | null> {
    const text = await store.getItem(key);
    seenToken = parseSession(text)?.refreshToken;
    return text;
  }

  async function telling<T>(isLogin: boolean, write: () => Promise<T>): Promise<T> {
    const before = parseSession(await present());
    const result = await write();
    const text = await present();
    const after = parseSession(text);
    if (text === null || !after || after.refreshToken === before?.refreshToken) return result;
    // Whoever logs in as the one whom this tab knew may still be news: others may know somebody else.
    const isSame = after.uid === before?.uid;
    if (isLogin || !isSame) tabs.post({ kind: 'shopper', uid: after.uid });
    if (isSame && home.kept === 'memory') {
      tabs.post({ kind: 'session', replaces: before.refreshToken, text });
    }
    return result;
  }

  return {
    ...store,
    getItem: (name) => (name === key ? present() : store.getItem(name)),
    setItem(name, value) {
      // A login is told before it is stored too, which a frozen tab may hold up: a tab in memory must
      // not bring back meanwhile who was there before. A session that was renewed is stored by then.
      const session = name === key ? parseSession(value) : null;
      if (session && session.refreshToken !== seenToken) {
        tabs.post({ kind: 'shopper', uid: session.uid });
      }
      return telling(true, () => store.setItem(name, value));
    },
    replaceIf: (name, test, next) => telling(false, () => store.replaceIf(name, test, next)),
  };
}

/** Takes in what other tabs tell. Returns what ends it. */
export function followTabs(store: SessionStore, home: Home, tabs: TabChannel): () => void {
  tabs.open();
  return tabs.listen((message) => {
    switch (message.kind) {
      case 'asked':
        if (home.kept === 'device') tabs.post({ kind: 'here' });
        break;
      case 'here':
        break;
      case 'shopper':
        void home.failover.forgetAllBut(message.uid);
        break;
      case 'session': {
        const isItsParent = (text: string | null) =>
          parseSession(text)?.refreshToken === message.replaces;
        // A tab whose storage fails as well asks the server itself, or signs in again.
        void store.replaceIf(store.key, isItsParent, message.text).catch(() => undefined);
        break;
      }
    }
  });
}

/**
 * Requests as they are, but for a renewal out of memory: none while another tab can renew. It runs
 * under the lock of all renewals, and the wait lets in what the tab before has told.
 */
export function renewingAlone(
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
      const isPresent = token !== undefined && body.includes(JSON.stringify(token));
      // As without a network: it is asked again later.
      if (isAnotherHere || !isPresent) throw new TypeError('another tab renews the session');
    }
    return fetch(input, init);
  };
}
