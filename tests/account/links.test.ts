/** Requests for mails, and where their links lead: on the phone that has asked for the mail, and on another. */
import { beforeEach, describe, expect, test } from 'vitest';
import { linkInMail } from '../browser/mail.ts';
import type { Phone } from './phone.ts';
import { ADA, BROKEN_NETWORKS, openPhonesForFile } from './phones-for-file.ts';

const { shop, ada, newPhone } = await openPhonesForFile();
let phone: Phone;
beforeEach(async () => {
  phone = await newPhone();
});

test('requests carry the token of a CAPTCHA to the auth service, and none where the shop has no CAPTCHA', async () => {
  const sent: unknown[] = [];
  phone.setNetwork(async (request) => {
    const body = (await request.clone().json()) as Record<string, unknown>;
    sent.push([new URL(request.url).pathname, body['gotrue_meta_security']]);
    return Response.json({ code: 400, error_code: 'captcha_failed', msg: 'no' }, { status: 400 });
  });
  for (const captcha of ['token-1', '']) {
    await phone.auth.signIn(ADA.email, ADA.password, captcha);
    await phone.auth.signUp(ADA.email, ADA.password, captcha);
    await phone.auth.sendPasswordReset(ADA.email, captcha);
  }
  const paths = ['/auth/v1/token', '/auth/v1/signup', '/auth/v1/recover'];
  expect(sent).toEqual([
    ...paths.map((path) => [path, { captcha_token: 'token-1' }]),
    ...paths.map((path) => [path, {}]),
  ]);
});

describe('a link that this phone has asked for', () => {
  let registered = 0;
  /**
   * Follows the newest link in a mail. Returns the address that the link redirects to, with the code moved
   * from the query to the fragment, as the page does first (`account/link.ts`).
   */
  async function landingOf(to: string): Promise<string> {
    const link = await linkInMail(shop.backend, to);
    const answer = await fetch(link, { redirect: 'manual' });
    const { pathname, search, hash } = new URL(answer.headers.get('location') ?? '');
    expect(hash).toBe('');
    return `${shop.url}${pathname}#${search.slice(1)}`;
  }

  /** Registers a new account on a phone. Returns its email address. */
  async function register(on = phone): Promise<string> {
    registered += 1;
    const email = `new${registered}@weft.test`;
    expect(await on.auth.signUp(email, 'secret-1')).toEqual({ ok: true, value: 'confirm' });
    return email;
  }

  test('leads to a new password, which the next attempt saves if the answer to the first was lost', async () => {
    await phone.auth.sendPasswordReset(ADA.email);
    await phone.start(await landingOf(ADA.email));
    phone.setNetwork(async (request) => {
      if (request.method !== 'PUT') return null;
      await fetch(request);
      return new TypeError('the answer is lost');
    });
    expect(await phone.auth.updatePassword('secret-new')).toMatchObject({ ok: false });
    phone.setNetwork(null);
    expect(await phone.auth.updatePassword('secret-new')).toMatchObject({ ok: true });
    // auth-js renews a session that has expired before it saves the password.
    await phone.ageSession({ bySeconds: 2 * 3600 });
    // The other tests log in with the old password.
    expect(await phone.auth.updatePassword(ADA.password)).toMatchObject({ ok: true });
  });

  test('to confirm the email signs nobody in, and the shopper then logs in', async () => {
    const email = await register();
    const sessions = () =>
      shop.backend.query(
        'select 1 from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1',
        [email],
      );
    const requests: string[] = [];
    phone.setNetwork((request) => {
      requests.push(new URL(request.url).pathname);
      return null;
    });
    expect(await phone.start(await landingOf(email))).toBe('confirmed');
    expect(await phone.shopper()).toBeUndefined();
    expect(await phone.store.getItem(phone.store.key)).toBeNull();
    await expect.poll(sessions).toEqual([]);
    expect(requests).toEqual(['/auth/v1/token', '/auth/v1/logout']);
    expect(await phone.auth.signIn(email, 'secret-1')).toMatchObject({ ok: true });
    expect(await phone.shopper()).toMatchObject({ email, session: 'live' });
  });

  test('for a new password signs in, and links to confirm other addresses then change nothing', async () => {
    const email = await register();
    const confirmation = await landingOf(email);
    expect(await phone.auth.sendPasswordReset(ADA.email)).toMatchObject({ ok: true });
    const recovery = await landingOf(ADA.email);
    const other = await register();
    expect(await phone.start(recovery)).toBe('recovery');
    expect(await phone.shopper()).toMatchObject({ uid: ada });
    expect(await phone.start(confirmation)).toBe('other');
    expect(await phone.start(await landingOf(other))).toBe('other');
    expect(await phone.shopper()).toMatchObject({ uid: ada, session: 'live' });
  });

  test('opened in another browser signs nobody in there, and is still good here', async () => {
    const email = await register();
    const href = await landingOf(email);
    const other = await newPhone();
    expect(await other.start(href)).toBe('elsewhere');
    // Now that browser keeps a verifier, but for a link of its own.
    await register(other);
    expect(await other.start(href)).toBe('elsewhere');
    expect(await other.shopper()).toBeUndefined();
    expect(await phone.start(href)).toBe('confirmed');
  });

  test('works once, and a made-up code never', async () => {
    const href = await landingOf(await register());
    expect(await phone.start(href)).toBe('confirmed');
    expect(await phone.start(href)).toBe('rejected');
    expect(await phone.start(`${shop.url}/#code=made-up`)).toBe('rejected');
  });

  test('that reaches no server can be tried again', async () => {
    const href = await landingOf(await register());
    for (const [, network] of BROKEN_NETWORKS) {
      phone.setNetwork(network);
      expect(await phone.start(href)).toBe('offline');
    }
    phone.setNetwork(null);
    expect(await phone.start(href)).toBe('confirmed');
  });
});
