/** The mails of the auth service on this machine: where their links lead, and the page that shows them. */
import { expect, test } from 'vitest';
import { clientOf } from '../supabase/shop.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';

const shop = await openShopForFile();
const { port } = new URL(shop.url);

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

test.each(['localhost', '127.0.0.1'])(
  'the link after registering leads back to the shop as the browser called it: %s',
  async (name) => {
    const person = newPerson();
    const origin = `http://${name}:${port}`;
    const client = clientAt(origin);
    await client.auth.signUp({ ...person, options: { emailRedirectTo: `${origin}/login` } });
    const link = newestLink();
    // The link itself never starts at the host of the request, which its sender chooses.
    expect(link.origin).toBe(shop.url);
    const landing = await follow(link);
    expect(landing.origin + landing.pathname).toBe(`${origin}/login`);
    expect((await client.auth.signInWithPassword(person)).error).toBeNull();
  },
);

test('the link never leads to another site', async () => {
  const options = { emailRedirectTo: 'https://shop.example/' };
  await clientAt(shop.url).auth.signUp({ ...newPerson(), options });
  expect((await follow(newestLink())).origin).toBe(shop.url);
});

test('the mail page shows a mail with its link, is never cached, runs no script and escapes markup', async () => {
  await clientAt(shop.url).auth.signUp({ ...newPerson(), email: '"<b>"@weft.test' });
  const answer = await fetch(`${shop.url}/local/mail`);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  const page = await answer.text();
  expect(page).not.toContain('<b>');
  const [, href = ''] = /<a href="([^"]+)">Confirm the account</.exec(page) ?? [];
  await follow(shop.url + href.replaceAll('&#38;', '&'));
});
