/** Links by which an attacker would sign a visitor in to the attacker's account, to see what is typed there. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SessionStore } from '../../src/remote/auth/session.ts';
import { clientOf, openTestShop, type TestShop } from '../supabase/shop.ts';
import { addShopper, type Shopper } from '../supabase/shoppers.ts';

let shop: TestShop;
let eve: Shopper;
let openLink: typeof import('../../src/remote/auth/link.ts').openLink;
let stored: Map<string, string>;

beforeAll(async () => {
  const project = process.env['ATTACKED'] ?? join(import.meta.dirname, '../..');
  const url = pathToFileURL(join(project, 'src/remote/auth/link.ts')).href;
  ({ openLink } = (await import(url)) as typeof import('../../src/remote/auth/link.ts'));
  shop = await openTestShop();
  eve = await addShopper(shop, 'eve');
});
afterAll(() => shop.close());
beforeEach(() => {
  stored = new Map();
});

function options() {
  const store: SessionStore = {
    key: 'session',
    getItem: async (name) => stored.get(name) ?? null,
    setItem: async (name, value) => void stored.set(name, value),
    removeItem: async (name) => void stored.delete(name),
    async replaceIf(name, isExpected, next) {
      if (!isExpected(stored.get(name) ?? null)) return false;
      if (next === null) stored.delete(name);
      else stored.set(name, next);
      return true;
    },
  };
  const { url, backend } = shop;
  const key = backend.publishableKey;
  return { url, key, store, fetch, now: Date.now, locks: undefined };
}

describe('a link of a stranger', () => {
  const decline = async () => false;

  test('with the tokens of a session is asked about, and signs nobody in by itself', async () => {
    const { data } = await clientOf(shop).auth.signInWithPassword(eve);
    const { access_token = '', refresh_token = '' } = data.session ?? {};
    const tokens = { access_token, refresh_token, expires_in: '3600', type: 'signup' };
    const asked: string[] = [];
    const ask = async (email: string) => {
      asked.push(email);
      return false;
    };
    expect(await openLink(options(), tokens, ask)).toBe('declined');
    expect(asked).toEqual([eve.email]);
    expect(stored.size).toBe(0);
  });

  test('with a token hash is asked about, and signs nobody in by itself', async () => {
    await clientOf(shop).auth.resetPasswordForEmail(eve.email);
    const link = new URL(shop.backend.mails.at(-1)?.links[0] ?? '');
    const tokens = { token_hash: link.searchParams.get('token') ?? '', type: 'recovery' };
    expect(await openLink(options(), tokens, decline)).toBe('declined');
    expect(stored.size).toBe(0);
  });

  test('with a code that the stranger has requested signs nobody in, whatever verifier this device has', async () => {
    const { auth } = clientOf(shop);
    Object.assign(auth, { flowType: 'pkce' });
    await auth.resetPasswordForEmail(eve.email);
    const link = shop.backend.mails.at(-1)?.links[0] ?? '';
    const answer = await fetch(link, { redirect: 'manual' });
    const landing = new URL(answer.headers.get('location') ?? '');
    const code = landing.searchParams.get('code') ?? '';
    expect(code).not.toBe('');
    expect(await openLink(options(), { code }, decline)).toBe('elsewhere');
    stored.set('session-flows-code-verifier', '["flow-of-mine"]');
    stored.set('session-flow-flow-of-mine-code-verifier', JSON.stringify('v'.repeat(60)));
    expect(await openLink(options(), { code }, decline)).toBe('elsewhere');
    expect(stored.has('session')).toBe(false);
  });
});
