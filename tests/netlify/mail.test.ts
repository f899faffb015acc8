/** Mails after registering and after a forgotten password: what is in them and where their links lead. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createClient } from '@supabase/supabase-js';
import { clientOf, openTestShop } from '../supabase/shop.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';

const shop = await openShopForFile();
const { port } = new URL(shop.url);
afterEach(() => void vi.unstubAllGlobals());

let accounts = 0;
/** An email address that no account has yet, and a password. */
function newPerson() {
  accounts += 1;
  return { email: `p${accounts}@weft.test`, password: 'secret-1' };
}

/** A client like that of a page at this address. */
const clientAt = (url: string) => clientOf({ url, backend: shop.backend });

const newestLink = () => new URL(shop.backend.mails.at(-1)?.links[0] ?? '');

/** Opens a link, and returns the address to which it redirects. */
async function follow(link: URL | string): Promise<URL> {
  const answer = await fetch(link, { redirect: 'manual' });
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get('location') ?? '');
}

/** Starts supabase-js as a page at this address does. */
async function openPage(address: URL) {
  const listeners = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal('document', { visibilityState: 'visible', ...listeners });
  vi.stubGlobal('window', { location: new URL(address), ...listeners });
  const client = createClient(address.origin, shop.backend.publishableKey, {
    auth: {
      persistSession: false,
      autoRefreshToken: false,
      detectSessionInUrl: true,
      storageKey: crypto.randomUUID(),
    },
  });
  const events: string[] = [];
  client.auth.onAuthStateChange((event) => void events.push(event));
  const { error } = await client.auth.initialize();
  await vi.waitFor(() => expect(events).toContain('INITIAL_SESSION'));
  return { client, error, events };
}

describe('after registering', () => {
  test.each([
    ['localhost', () => shop.url],
    ['127.0.0.1', () => `http://127.0.0.1:${port}`],
    ['IPv6', () => `http://[::1]:${port}`],
  ])('the link leads back to the shop as the browser called it: %s', async (_name, origin) => {
    const person = newPerson();
    const client = clientAt(origin());
    await client.auth.signUp({ ...person, options: { emailRedirectTo: `${origin()}/login` } });
    const link = newestLink();
    // The link itself never starts at the host of the request, which its sender chooses.
    expect(link.origin).toBe(shop.url);
    const landing = await follow(link);
    expect(landing.origin + landing.pathname).toBe(`${origin()}/login`);
    expect((await client.auth.signInWithPassword(person)).error).toBeNull();
  });

  test('the link leads back to a page on another port of this machine, too', async () => {
    for (const origin of ['http://localhost:5999', 'http://127.0.0.1:5999']) {
      await clientAt(shop.url).auth.signUp({
        ...newPerson(),
        options: { emailRedirectTo: `${origin}/login?next=%2Fcart` },
      });
      const landing = await follow(newestLink());
      expect(landing.href.startsWith(`${origin}/login?next=%2Fcart#access_token=`)).toBe(true);
    }
  });

  test('the link never leads to another site', async () => {
    const options = { emailRedirectTo: 'https://shop.example/' };
    await clientAt(shop.url).auth.signUp({ ...newPerson(), options });
    expect((await follow(newestLink())).origin).toBe(shop.url);
  });

  test('the link leads to the shop’s own address when the page named no address', async () => {
    await clientAt(`http://127.0.0.1:${port}`).auth.signUp(newPerson());
    expect((await follow(newestLink())).origin).toBe(shop.url);
  });

  test('following the link signs the shopper in; following it again says that it is used up', async () => {
    const person = newPerson();
    const client = clientOf(shop);
    const { data } = await client.auth.signUp({
      ...person,
      options: { emailRedirectTo: shop.url },
    });
    expect(data.session).toBeNull();
    const beforeLink = await client.auth.signInWithPassword(person);
    expect(beforeLink.error).toMatchObject({
      code: 'email_not_confirmed',
      message: 'Email not confirmed',
    });

    const link = newestLink();
    const page = await openPage(await follow(link));
    expect(page.error).toBeNull();
    expect((await page.client.auth.getUser()).data.user?.email).toBe(person.email);

    const again = await openPage(await follow(link));
    expect(again.error).toMatchObject({ details: { code: 'otp_expired' } });
  });

  test('a wrong password is rejected with the provider’s words', async () => {
    const person = newPerson();
    await shop.backend.addAccount(person);
    const attempts = [
      await clientOf(shop).auth.signInWithPassword({ ...person, password: 'wrong-1' }),
      await clientOf(shop).auth.signInWithPassword({ ...person, email: 'nobody@weft.test' }),
    ];
    for (const { error } of attempts) {
      expect(error).toMatchObject({
        code: 'invalid_credentials',
        message: 'Invalid login credentials',
      });
    }
  });
});

test('a forgotten password is replaced by a new one through the link of a mail', async () => {
  const person = newPerson();
  await shop.backend.addAccount(person);
  const redirectTo = `http://127.0.0.1:${port}/reset-password`;
  await clientOf(shop).auth.resetPasswordForEmail(person.email, { redirectTo });
  const landing = await follow(newestLink());
  expect(landing.origin + landing.pathname).toBe(redirectTo);

  const { client, events } = await openPage(landing);
  await vi.waitFor(() => expect(events).toContain('PASSWORD_RECOVERY'));
  const same = await client.auth.updateUser({ password: person.password });
  expect(same.error?.code).toBe('same_password');
  expect((await client.auth.updateUser({ password: 'secret-2' })).error).toBeNull();
  vi.unstubAllGlobals();

  const { auth } = clientOf(shop);
  expect((await auth.signInWithPassword(person)).error?.code).toBe('invalid_credentials');
  expect((await auth.signInWithPassword({ ...person, password: 'secret-2' })).error).toBeNull();
});

test('a request for a new password is answered alike for an unknown address, and no mail is sent', async () => {
  const before = shop.backend.mails.length;
  const { error } = await clientOf(shop).auth.resetPasswordForEmail('nobody@weft.test');
  expect([error, shop.backend.mails.length]).toEqual([null, before]);
});

describe('the mail page', () => {
  test('shows the newest mail first, with what its link does, at the page’s own address', async () => {
    const person = newPerson();
    await clientOf(shop).auth.signUp(person);
    await clientOf(shop).auth.resetPasswordForEmail(person.email);
    const page = await (await fetch(`${shop.url}/local/mail`)).text();
    const [first, second] = page.split('<article>').slice(1);
    expect(first).toContain(`To ${person.email}`);
    expect(first).toMatch(/<a href="\/auth\/v1\/verify\?[^"]+">Choose a new password<\/a>/);
    expect(second).toContain('Confirm the account');
    const href = /href="([^"]+)"/.exec(second ?? '')?.[1]?.replaceAll('&#38;', '&');
    await follow(shop.url + href);
  });

  test('is never cached, runs no script and escapes the markup in mails', async () => {
    await clientOf(shop).auth.signUp({ ...newPerson(), email: '"<b>"@weft.test' });
    const answer = await fetch(`${shop.url}/local/mail`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await answer.text()).not.toContain('<b>');
  });

  test('says so when there is no mail', async () => {
    const other = await openTestShop();
    const page = await (await fetch(`${other.url}/local/mail`)).text();
    expect(page).toContain('There is no mail yet');
    await other.close();
  });
});
