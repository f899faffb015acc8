/**
 * Links by which an attacker would sign a visitor in: to the attacker's account, to see what is typed there,
 * or to the visitor's own, whose password the attacker has chosen.
 */
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { AuthClient } from '@supabase/supabase-js';
import { addressForLink, linkParameters } from '../../src/account/link.ts';
import type { SessionStore } from '../../src/remote/auth/session.ts';
import { storeChallenge } from '../../supabase/local/pkce.ts';
import { clientOf } from '../supabase/shop.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';
import { addShopper } from '../supabase/shoppers.ts';
import { openLink } from '../../src/remote/auth/link.ts';
import { refresher } from '../../src/remote/auth/refresh.ts';

const shop = await openShopForFile();
const eve = await addShopper(shop, 'eve');
/** What the browser of the visitor stores. */
let stored: Map<string, string>;
beforeEach(() => {
  stored = new Map();
});

/** The options with which the visitor's page calls `openLink`. */
function options() {
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
  const { url, backend } = shop;
  const key = backend.publishableKey;
  return { url, key, store, fetch, now: Date.now, locks: undefined };
}

/** Follows a link whose address has these parameters. */
function follow(parameters: Readonly<Record<string, string>>, device = options()) {
  return openLink(device, refresher(device), parameters, async () => undefined);
}

describe('a link of a stranger', () => {
  test('with a code that the stranger has requested signs nobody in, whatever verifier this device has', async () => {
    const { auth } = clientOf(shop);
    Object.assign(auth, { flowType: 'pkce' }); // the link then carries a code instead of tokens
    await auth.resetPasswordForEmail(eve.email);
    const link = shop.backend.mails.at(-1)?.links[0] ?? '';
    const answer = await fetch(link, { redirect: 'manual' });
    const landing = new URL(answer.headers.get('location') ?? '');
    const code = landing.searchParams.get('code') ?? '';
    expect(code).not.toBe('');
    expect(await follow({ code })).toBe('elsewhere');
    // Now this device has a verifier, of a link that it has requested itself.
    const mine = 'flow-of-mine';
    stored.set('session-code-verifier', JSON.stringify('v'.repeat(60)));
    stored.set(`session-flow-${mine}-code-verifier`, JSON.stringify('v'.repeat(60)));
    expect(await follow({ code })).toBe('elsewhere');
    expect(await follow({ code, sb_flow_id: mine })).toBe('elsewhere');
    expect(stored.has('session')).toBe(false);
  });
});

describe('an address that a stranger has registered first', () => {
  /**
   * The tokens in the address that the newest mail's link leads to, as the page reads them.
   *
   * @param prefix what to put before the link's token: the result of `askForLinkHere`, or nothing
   */
  async function tokensInMail(prefix = ''): Promise<Readonly<Record<string, string>>> {
    const link = new URL(shop.backend.mails.at(-1)?.links[0] ?? '');
    link.searchParams.set('token', prefix + link.searchParams.get('token'));
    const answer = await fetch(link, { redirect: 'manual' });
    const landing = answer.headers.get('location') ?? '';
    const path = addressForLink(landing);
    // The path is null where the link leads to the right screen already.
    return linkParameters(path === null ? landing : new URL(path, landing).href) ?? {};
  }

  /**
   * Makes the mailed link one that this device has asked for. GoTrue mails the link again to a person who
   * registers the address later; the embedded auth service (version 0.10) does not.
   *
   * @returns the prefix that GoTrue gives the token of such a link
   */
  async function askForLinkHere(email: string): Promise<string> {
    const verifier = 'v'.repeat(60);
    stored.set('session-code-verifier', JSON.stringify(verifier));
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const flow = { email, challenge, method: 's256', authMethod: 'email/signup' };
    await storeChallenge(shop.backend.query, flow);
    return 'pkce_';
  }

  test.each(['the stranger', 'its owner'])(
    'signs nobody in by the link for %s, and a new password keeps the stranger out',
    async (asker) => {
      const isOwner = asker === 'its owner';
      const email = `registered-twice-${isOwner}@weft.test`;
      const strangersLogin = { email, password: 'stranger-1' };
      const ownersLogin = { email, password: 'secret-1' };
      await clientOf(shop).auth.signUp(strangersLogin);
      const device = options();
      const { key, store } = device;
      const auth = new AuthClient({
        url: `${shop.url}/auth/v1`,
        headers: { apikey: key },
        storageKey: store.key,
        storage: store,
        autoRefreshToken: false,
        flowType: 'pkce',
      });
      // The auth service mails nothing for this second registration: both cases open the first one's mail.
      await auth.signUp(ownersLogin);
      const prefix = isOwner ? await askForLinkHere(email) : '';
      const confirming = await tokensInMail(prefix);
      expect(Object.keys(confirming)).toContain(isOwner ? 'code' : 'access_token');
      expect(await follow(confirming, device)).toBe(isOwner ? 'confirmed' : 'elsewhere');
      expect(stored.has('session')).toBe(false);

      const strangersClients = [clientOf(shop), clientOf(shop)];
      for (const { auth: strangersAuth } of strangersClients) {
        expect((await strangersAuth.signInWithPassword(strangersLogin)).error).toBeNull();
      }
      const { error } = await auth.signInWithPassword(ownersLogin);
      expect(error?.code).toBe('invalid_credentials');

      await auth.resetPasswordForEmail(email);
      expect(await follow(await tokensInMail(), device)).toBe('recovery');
      expect((await auth.updateUser({ password: 'secret-2' })).error).toBeNull();
      for (const { auth: strangersAuth } of strangersClients) {
        const again = await strangersAuth.signInWithPassword(strangersLogin);
        expect(again.error?.code).toBe('invalid_credentials');
      }
      expect((await auth.refreshSession()).error).toBeNull();
    },
  );
});
