/** Mails after registering and after a forgotten password: what is in them and where their links lead. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { clientOf } from '../supabase/shop.ts';
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
});
