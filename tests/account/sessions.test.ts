/** Signing in, tokens and logging out on one phone, with the real auth service of the embedded shop. */
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, describe, expect, test } from 'vitest';
import { endSession } from '../../src/db/identity.ts';
import { NO_TOKEN, OFFLINE, SIGN_IN_NEEDED } from '../../src/domain/failure.ts';
import { claimsOf } from './jwt.ts';
import type { Phone } from './phone.ts';
import { ADA, BROKEN_NETWORKS, openPhonesForFile } from './phones-for-file.ts';

const DAY_MS = 86_400_000;
const HOUR_S = 3600;

const { shop, ada, newPhone } = await openPhonesForFile();
let phone: Phone;
beforeEach(async () => {
  phone = await newPhone();
});

const signIn = (on: Phone, { email, password }: typeof ADA) => on.auth.signIn(email, password);
const logOut = (on: Phone) =>
  on.auth.signOutLocally(async () => {
    const shopper = await on.shopper();
    if (shopper) await on.store.logOut(shopper.uid);
  });

describe('signing in', () => {
  test('the phone stores the shopper once the auth server has accepted the password', async () => {
    expect(await phone.shopper()).toBeUndefined();
    expect(await signIn(phone, ADA)).toEqual({ ok: true, value: null });
    expect(await phone.shopper()).toMatchObject({ uid: ada, email: ADA.email, session: 'live' });
  });

  test('a wrong password shows the auth server’s own message', async () => {
    expect(await signIn(phone, { ...ADA, password: 'wrong-1' })).toEqual({
      ok: false,
      failure: {
        kind: 'rejected',
        status: 400,
        code: 'invalid_credentials',
        message: 'Invalid login credentials',
      },
    });
    expect(await phone.shopper()).toBeUndefined();
  });

  test.each(BROKEN_NETWORKS)('%s counts as offline, not as a rejection', async (_name, network) => {
    phone.setNetwork(network);
    expect(await signIn(phone, ADA)).toEqual(OFFLINE);
    expect(await phone.auth.signUp('new@weft.test', 'secret-3')).toEqual(OFFLINE);
  });
});

test.each([
  ['a day ahead', DAY_MS],
  ['a day behind', -DAY_MS],
])(
  'a clock that is %s keeps nobody from signing in, and causes no refresh',
  async (_name, skew) => {
    const skewed = await newPhone({ now: () => Date.now() + skew });
    await signIn(skewed, ADA);
    expect(await skewed.requestProducts(ada)).toBe(200);
    expect(skewed.refreshes).toEqual([]);
  },
);

test('a phone whose refresh gets no answer goes on with the token that it has', async () => {
  phone = await newPhone({ refreshTimeoutMs: 1000 });
  await signIn(phone, ADA);
  await phone.ageSession({ bySeconds: 2 * HOUR_S });
  phone.setNetwork(() => new Promise<null>(() => undefined));
  expect(await phone.auth.accessToken(ada)).toMatchObject({ ok: true });
});

test('a refresh without an answer does not block the next one once the line is back', async () => {
  phone = await newPhone({ refreshTimeoutMs: 1000 });
  await signIn(phone, ADA);
  phone.setNetwork(
    ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  );
  expect(await phone.auth.refreshNow(ada)).toEqual(NO_TOKEN);
  phone.setNetwork(null);
  expect(await phone.auth.refreshNow(ada)).toMatchObject({ ok: true });
});

describe('two tabs', () => {
  /** Opens two tabs of one browser, and signs in. */
  async function openTabs(locks?: LockManager): Promise<readonly [Phone, Phone]> {
    const indexedDB = new IDBFactory();
    const options = { indexedDB, ...(locks && { locks }) };
    const tabs = [await newPhone(options), await newPhone(options)] as const;
    await signIn(tabs[0], ADA);
    return tabs;
  }

  test('that need a new token at the same moment ask for one and both use it', async () => {
    const [first, second] = await openTabs(navigator.locks);
    await first.ageSession({ bySeconds: 2 * HOUR_S });
    const answers = await Promise.all(
      [first, second, first, second].map((tab) => tab.auth.accessToken(ada)),
    );
    expect(new Set(answers.map((answer) => answer.ok && answer.value)).size).toBe(1);
    expect(first.refreshes.length + second.refreshes.length).toBe(1);
    expect([await first.requestProducts(ada), await second.requestProducts(ada)]).toEqual([
      200, 200,
    ]);
  });

  test('of which one is frozen with the lock do not keep the other from a new token', async () => {
    const { locks } = navigator;
    const tab = await newPhone({ locks });
    await signIn(tab, ADA);
    await tab.ageSession({ bySeconds: 2 * HOUR_S });
    let thaw: () => void = () => undefined;
    const frozen = locks.request('weft-session', () => new Promise<void>((done) => (thaw = done)));
    expect(await tab.requestProducts(ada)).toBe(200);
    expect(tab.refreshes).toHaveLength(1);
    thaw();
    await frozen;
  });

  test('use a token that one of them has renewed, and do not renew it again', async () => {
    const [first, second] = await openTabs();
    const old = await second.auth.accessToken(ada);
    await new Promise((done) => setTimeout(done, 1100)); // a token's time of issue has whole seconds
    await first.auth.refreshNow(ada);
    const next = await second.auth.refreshNow(ada);
    expect(next).toMatchObject({ ok: true });
    expect(next).not.toEqual(old);
    expect(second.refreshes).toEqual([]);
  });
});

test('a logout ends the session at the server too', async () => {
  await signIn(phone, ADA);
  const answer = await phone.auth.accessToken(ada);
  if (!answer.ok) throw new Error('no shopper is logged in');
  const { session_id: id } = claimsOf(answer.value);
  const sessions = () => shop.backend.query('select 1 from auth.sessions where id = $1', [id]);
  expect(await sessions()).toHaveLength(1);
  await logOut(phone);
  await expect.poll(sessions).toEqual([]);
});

test('a shopper whose stored session is gone is asked to sign in', async () => {
  await signIn(phone, ADA);
  await phone.db.session.clear();
  expect(await phone.auth.accessToken(ada)).toEqual(SIGN_IN_NEEDED);
  await endSession(phone.db, ada); // as the sync does then
  expect(await phone.shopper()).toMatchObject({ uid: ada, session: 'ended' });
});

test('a link with the session of another phone signs nobody in, whatever it is for', async () => {
  const owner = await newPhone();
  await signIn(owner, ADA);
  const session = JSON.parse((await owner.store.getItem(owner.store.key)) ?? '') as Record<
    string,
    string
  >;
  for (const type of ['recovery', 'signup', 'magiclink', 'invite', '']) {
    const fragment = new URLSearchParams({ type });
    for (const name of ['access_token', 'refresh_token', 'expires_in']) {
      fragment.set(name, String(session[name]));
    }
    expect(await phone.start(`${shop.url}/#${fragment.toString()}`)).toBe('elsewhere');
  }
  expect(await phone.shopper()).toBeUndefined();
  expect(await phone.store.getItem(phone.store.key)).toBeNull();
});
