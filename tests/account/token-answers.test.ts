/** Answers of the auth service and the network to a phone that renews its token. */
import { setTimeout as pause } from 'node:timers/promises';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Answer, NO_TOKEN, SIGN_IN_NEEDED } from '../../src/domain/failure.ts';
import { withToken } from '../../src/remote/auth/token-source.ts';
import { claimsOf, signToken } from './jwt.ts';
import { openPhone, type Phone, type Network } from './phone.ts';
import { ADA, openPhonesForFile } from './phones-for-file.ts';

const HOUR_S = 3600;

const { shop, ada: uid, newPhone } = await openPhonesForFile();
let phone: Phone;
beforeEach(async () => {
  const indexedDB = new IDBFactory();
  const before = await openPhone(shop, { indexedDB });
  expect(await before.auth.signIn(ADA.email, ADA.password)).toMatchObject({ ok: true });
  await before.close();
  // Opened again, so that auth-js knows the session from the database alone.
  phone = await newPhone({ indexedDB });
});

const html = (status: number) =>
  new Response('<html>Welcome to our network</html>', {
    status,
    headers: { 'content-type': 'text/html' },
  });
const json = (status: number, body: object) => Response.json(body, { status });
/** Answers requests to the auth service, and lets the others through. */
const toAuth =
  (answer: () => Response | Error): Network =>
  (request) =>
    request.url.includes('/auth/v1/') ? answer() : null;

const FAILURES: [string, Network][] = [
  ['a network error', toAuth(() => new TypeError('fetch failed'))],
  ['500', toAuth(() => json(500, { code: 500, error_code: 'unexpected_failure', msg: 'No' }))],
  ['429', toAuth(() => json(429, { code: 429, error_code: 'over_request_rate_limit', msg: 'No' }))],
  ['403', toAuth(() => json(403, { message: 'Forbidden' }))],
  ['the page of a captive portal', toAuth(() => html(200))],
];

/** Lets the access token expire, for the phone and for the server. */
async function expire(): Promise<void> {
  const answer = await phone.auth.accessToken(uid);
  if (!answer.ok) throw new Error('no shopper is logged in');
  const exp = Math.floor(Date.now() / 1000) - HOUR_S;
  const token = signToken({ ...claimsOf(answer.value), exp }, shop.backend.jwtSecret);
  await phone.ageSession({ token, bySeconds: 2 * HOUR_S });
}

/** Starts auth-js, which tries to refresh by itself. */
async function wakeAuthJs(): Promise<void> {
  await phone.auth.start(null);
  await pause(300);
}

const storedRefreshToken = async () =>
  (JSON.parse((await phone.store.getItem(phone.store.key)) ?? '{}') as { refresh_token?: string })
    .refresh_token;

function expectRequestsOfShopperOnly(): void {
  expect(phone.dataRequests.map(({ bearer }) => bearer && claimsOf(bearer).sub)).toEqual(
    phone.dataRequests.map(() => uid),
  );
}

test('a shopper who logs out while the token is renewed gets no token', async () => {
  await expire();
  phone.setNetwork(async (request) => {
    if (!request.url.includes('grant_type=refresh_token')) return null;
    await phone.store.removeItem(phone.store.key);
    return new TypeError('fetch failed');
  });
  expect(await phone.auth.accessToken(uid)).toEqual(SIGN_IN_NEEDED);
});

describe.each(FAILURES)('a refresh ends with %s', (_name, network) => {
  test('a valid token is still used, and the shopper stays logged in', async () => {
    const before = await storedRefreshToken();
    phone.setNetwork(network);
    await wakeAuthJs();
    expect(await phone.requestProducts(uid)).toBe(200);
    expect(await phone.auth.refreshNow(uid)).toEqual(NO_TOKEN);
    expect(await storedRefreshToken()).toBe(before);
    expect(await phone.shopper()).toMatchObject({ uid, email: ADA.email, session: 'live' });
    expectRequestsOfShopperOnly();
  });

  test('an expired token is kept, and renewed as soon as the server answers again', async () => {
    await expire();
    const before = await storedRefreshToken();
    phone.setNetwork(network);
    await wakeAuthJs();
    expect(await phone.requestProducts(uid)).toBe('offline');
    expect(await storedRefreshToken()).toBe(before);
    expect(await phone.shopper()).toMatchObject({ uid, email: ADA.email, session: 'live' });
    phone.setNetwork(null);
    expect(await phone.requestProducts(uid)).toBe(200);
    expectRequestsOfShopperOnly();
  });
});

describe('the auth server says that the session does not exist', () => {
  beforeEach(() => shop.backend.query('delete from auth.refresh_tokens'));

  test('with a valid token the shopper is asked to sign in at the next refresh', async () => {
    expect(await phone.requestProducts(uid)).toBe(200);
    expect(await phone.auth.refreshNow(uid)).toEqual(SIGN_IN_NEEDED);
    expect(await phone.requestProducts(uid)).toBe('sign-in');
    expect(await phone.shopper()).toMatchObject({ uid, email: ADA.email, session: 'ended' });
    expectRequestsOfShopperOnly();
  });

  test('with an expired token the shopper is asked to sign in at once', async () => {
    await expire();
    await wakeAuthJs();
    expect(await phone.requestProducts(uid)).toBe('sign-in');
    expect(await phone.shopper()).toMatchObject({ uid, email: ADA.email, session: 'ended' });
    expect(phone.dataRequests).toEqual([]);
  });
});

test('two requests whose token the server rejects one after the other renew it once', async () => {
  const old = await phone.auth.accessToken(uid);
  // A token names its time of issue in whole seconds: two tokens of the same second are equal.
  await pause(1100);
  let answerLate: () => void = () => undefined;
  const isAnswered = new Promise<void>((done) => (answerLate = done));
  const rejection = { kind: 'rejected', status: 401, code: null, message: null } as const;
  const answerTo = (token: string): Answer<string> =>
    old.ok && token === old.value ? { ok: false, failure: rejection } : { ok: true, value: token };
  const late = withToken(phone.auth, uid, async (token) => {
    await isAnswered;
    return answerTo(token);
  });
  const early = await withToken(phone.auth, uid, async (token) => answerTo(token));
  answerLate();
  expect(early).toMatchObject({ ok: true });
  expect(await late).toEqual(early);
  expect(phone.refreshes).toHaveLength(1);
});

test.each([
  'refresh_token_not_found',
  'refresh_token_already_used',
  'session_not_found',
  'session_expired',
  'user_not_found',
  'user_banned',
  'validation_failed',
])('%s ends the session, and the phone still knows whose session it was', async (error_code) => {
  phone.setNetwork(toAuth(() => json(400, { code: 400, error_code, msg: 'No' })));
  expect(await phone.auth.refreshNow(uid)).toEqual(SIGN_IN_NEEDED);
  expect(await phone.shopper()).toMatchObject({ uid, session: 'ended' });
});

test('a phone gives out no token of another shopper', async () => {
  const eve = await shop.backend.addAccount({ email: 'eve@weft.test', password: 'secret-2' });
  expect(await phone.auth.accessToken(eve)).toEqual(SIGN_IN_NEEDED);
  expect(await phone.auth.refreshNow(eve)).toEqual(SIGN_IN_NEEDED);
  expect(phone.refreshes).toEqual([]);
});
