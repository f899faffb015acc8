/** Who may choose a new password: the rules that the embedded auth service shares with a hosted project. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { clientOf } from './shop.ts';
import { openShopForFile } from './shop-for-file.ts';

const shop = await openShopForFile();

let accounts = 0;
/** Adds an account, and signs a client in to it. */
async function addSignedInAccount() {
  accounts += 1;
  const person = { email: `p${accounts}@weft.test`, password: 'secret-1' };
  await shop.backend.addAccount(person);
  const client = clientOf(shop);
  expect((await client.auth.signInWithPassword(person)).error).toBeNull();
  return { person, client };
}

/** Follows the newest mail's link, and returns the session in the address to which the link redirects. */
async function followNewestLink() {
  const link = shop.backend.mails.at(-1)?.links[0] ?? '';
  const answer = await fetch(link, { redirect: 'manual' });
  const { hash } = new URL(answer.headers.get('location') ?? '');
  const tokens = new URLSearchParams(hash.slice(1));
  return {
    access_token: tokens.get('access_token') ?? '',
    refresh_token: tokens.get('refresh_token') ?? '',
  };
}

test('a phone that is signed in cannot choose a new password, with which it could delete the account', async () => {
  const { person, client } = await addSignedInAccount();
  const { error } = await client.auth.updateUser({ password: 'thief-chose-1' });
  expect([error?.status, error?.code]).toEqual([400, 'current_password_required']);
  expect((await clientOf(shop).auth.signInWithPassword(person)).error).toBeNull();
});

test('other data of the account may still be changed on a phone that is signed in', async () => {
  const { client } = await addSignedInAccount();
  expect((await client.auth.updateUser({ data: { greeting: 'hello' } })).error).toBeNull();
});

test('a new password by a mail’s link, also after the session was renewed, ends all other sessions', async () => {
  const { person, client } = await addSignedInAccount();
  await client.auth.resetPasswordForEmail(person.email);
  const byLink = clientOf(shop);
  expect((await byLink.auth.setSession(await followNewestLink())).error).toBeNull();
  expect((await byLink.auth.refreshSession()).error).toBeNull();
  expect((await byLink.auth.updateUser({ password: 'secret-2' })).error).toBeNull();

  expect((await client.auth.refreshSession()).error?.status).toBe(400);
  expect((await byLink.auth.refreshSession()).error).toBeNull();
});

/**
 * The embedded auth service notes which sessions began with a mail: it reads the token in the address to which
 * a link redirects. A failed link redirects to an address that the caller chose, and whose token proves nothing.
 */
test('a failed link that leads to an address with the token of a login allows no new password', async () => {
  const { client } = await addSignedInAccount();
  const { data } = await client.auth.getSession();
  const target = encodeURIComponent(`${shop.url}/#access_token=${data.session?.access_token}`);
  await fetch(`${shop.url}/auth/v1/verify?token=bad&type=signup&redirect_to=${target}`, {
    redirect: 'manual',
  });
  const { error } = await client.auth.updateUser({ password: 'thief-chose-2' });
  expect(error?.code).toBe('current_password_required');
});

/**
 * A stranger may have registered with another person's email address. If the stranger could add a second factor,
 * the auth service would refuse the new password that the owner of the address sets by a mail's link.
 */
test('no account gets a second factor, which would keep its owner out', async () => {
  const { client } = await addSignedInAccount();
  const { data } = await client.auth.getSession();
  for (const factor of [
    { factor_type: 'totp' },
    { factor_type: 'phone', phone: '+15550100' },
    { factor_type: 'webauthn', friendly_name: 'key' },
  ]) {
    // The embedded auth service has no second factors; `config.toml` switches them off in a hosted project.
    const answer = await fetch(`${shop.url}/auth/v1/factors`, {
      method: 'POST',
      headers: {
        apikey: shop.backend.publishableKey,
        authorization: `Bearer ${data.session?.access_token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(factor),
    });
    expect([factor.factor_type, answer.status]).toEqual([factor.factor_type, 404]);
  }
  const file = join(import.meta.dirname, '../../supabase/config.toml');
  const off = { enroll_enabled: false, verify_enabled: false };
  expect(parse(readFileSync(file, 'utf8'))).toMatchObject({
    auth: { mfa: { totp: off, phone: off, web_authn: off } },
  });
});
