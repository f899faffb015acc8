/**
 * A stranger registers a visitor's address first, and so has chosen the password of the visitor's account. What the
 * code of a stranger's link does is in account/links.test.ts.
 */
import { expect, test } from 'vitest';
import { AuthClient } from '@supabase/supabase-js';
import { addressForLink, linkParameters } from '../../src/account/link.ts';
import { openLink } from '../../src/remote/auth/link.ts';
import { refresher } from '../../src/remote/auth/refresh.ts';
import type { SessionStore } from '../../src/remote/auth/session.ts';
import { clientOf } from '../supabase/shop.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';

const { url, backend } = await openShopForFile();
/** What the browser of the visitor stores. */
const stored = new Map<string, string>();
const store: SessionStore = {
  key: 'session',
  getItem: async (name) => stored.get(name) ?? null,
  setItem: async (name, value) => void stored.set(name, value),
  removeItem: async (name) => void stored.delete(name),
  async replaceIf(isExpected, next) {
    if (!isExpected(stored.get('session') ?? null)) return false;
    if (next === null) stored.delete('session');
    else stored.set('session', next);
    return true;
  },
};

/** Opens the link of the newest mail, as the visitor's page does. */
async function openNewestLink() {
  const answer = await fetch(backend.mails.at(-1)?.links[0] ?? '', { redirect: 'manual' });
  const landing = answer.headers.get('location') ?? '';
  const path = addressForLink(landing);
  // The path is null where the link leads to the right screen already.
  const parameters = linkParameters(path === null ? landing : new URL(path, landing).href) ?? {};
  const key = backend.publishableKey;
  const device = { url, key, store, fetch, now: Date.now, locks: undefined };
  return openLink(device, refresher(device), parameters, async () => undefined);
}

test('a link that a stranger has asked for signs nobody in, and a new password keeps the stranger out', async () => {
  const email = 'registered-twice@weft.test';
  const strangersLogin = { email, password: 'stranger-1' };
  const stranger = clientOf({ url, backend });
  await stranger.auth.signUp(strangersLogin);
  const auth = new AuthClient({
    url: `${url}/auth/v1`,
    headers: { apikey: backend.publishableKey },
    storageKey: store.key,
    storage: store,
    autoRefreshToken: false,
    flowType: 'pkce',
  });
  // The auth service mails nothing for this second registration: the newest mail is that of the first.
  await auth.signUp({ email, password: 'secret-1' });
  expect(await openNewestLink()).toBe('elsewhere');
  expect(stored.has('session')).toBe(false);
  expect((await stranger.auth.signInWithPassword(strangersLogin)).error).toBeNull();

  await auth.resetPasswordForEmail(email);
  expect(await openNewestLink()).toBe('recovery');
  expect((await auth.updateUser({ password: 'secret-2' })).error).toBeNull();
  const again = await stranger.auth.signInWithPassword(strangersLogin);
  expect(again.error?.code).toBe('invalid_credentials');
  expect((await auth.refreshSession()).error).toBeNull();
});
