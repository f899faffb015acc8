/** One run of the shopper's sync with the real database: pushes, pulls, and which answers are applied. */
import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { WeftDatabase } from '../../src/db/database.ts';
import { enqueue } from '../../src/db/outbox.ts';
import {
  applyPull,
  deviceId,
  forgetShopperData,
  readShopperState,
} from '../../src/db/shopper-log.ts';
import type { ChangeAction, Pulled, Since } from '../../src/domain/change.ts';
import { shopperRemote } from '../../src/remote/shopper.ts';
import { type Answer, NO_TOKEN, SIGN_IN_NEEDED } from '../../src/domain/failure.ts';
import { pushAndPull, type RunMemory } from '../../src/sync/shopper.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';
import { numbered, stock } from '../supabase/stock.ts';
import { newAccount, newDatabase, productIds, resetPushQuota } from './phones.ts';

const { signal } = new AbortController();
const idAndClock = { newId: () => randomUUID(), now: () => new Date() };

const shop = await openShopForFile();
const PRODUCTS = 20;
const TAPS = 1000;
const BATCH = 50;
await stock(shop.backend, numbered(PRODUCTS));
const products = await productIds(shop);
const [productId = 0] = products;

let db: WeftDatabase;
let uid: string;
let token: string;
let requests: { path: string; answerBytes: number }[];
let memory: RunMemory;

beforeEach(async () => {
  const account = await newAccount(shop);
  ({ id: uid, token } = account);
  db = newDatabase();
  await db.meta.put({ key: 'shopper', uid, email: account.email, session: 'live' });
  requests = [];
  memory = { unseen: null };
});

/** Sends a request, counts it, and keeps the server's limit on changes out of the way. */
async function countingFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  await resetPushQuota(shop);
  const answer = await fetch(request);
  const body = await answer.clone().arrayBuffer();
  requests.push({
    path: new URL(request.url).pathname.split('/').at(-1) ?? '',
    answerBytes: body.byteLength,
  });
  return answer;
}

const goodToken = async (): Promise<Answer<string>> => ({ ok: true, value: token });
const signInNeeded = async (): Promise<Answer<string>> => SIGN_IN_NEEDED;

const save = (accessToken = goodToken, refreshNow = signInNeeded) => {
  const options = { url: shop.url, key: shop.backend.publishableKey, fetch: countingFetch };
  return pushAndPull(
    { db, remote: shopperRemote(options, { accessToken, refreshNow }), memory, ...idAndClock },
    uid,
    signal,
  );
};

const add = (id = productId): ChangeAction => ({
  kind: 'cart.add',
  args: { productId: id, by: 1 },
});
/** Puts changes into the phone's outbox, as taps do. */
const tap = (...changes: ChangeAction[]) => enqueue(db, uid, changes, idAndClock);
const paths = () => requests.map(({ path }) => path);

test(
  'a thousand taps reach the server in twenty pushes and one pull',
  { tags: 'long' },
  async () => {
    for (let i = 0; i < TAPS; i++) await tap(add(products[i % PRODUCTS] ?? 0));
    expect(await save()).toBe('saved');
    expect(paths()).toEqual([...Array(TAPS / BATCH).fill('push'), 'pull']);
    const state = await readShopperState(db);
    expect(state?.pending).toEqual([]);
    expect(state?.base?.cart.map(({ quantity }) => quantity)).toEqual(
      Array(PRODUCTS).fill(TAPS / PRODUCTS),
    );
  },
);

test('with nothing new, one pull of at most 300 bytes is all', async () => {
  await save();
  requests = [];
  expect(await save()).toBe('saved');
  expect(paths()).toEqual(['pull']);
  expect(requests[0]?.answerBytes).toBeLessThanOrEqual(300);
});

test('without a token of this shopper nothing is sent at all', async () => {
  await tap(add());
  expect(await save(signInNeeded)).toBe('sign-in');
  expect(requests).toEqual([]);
  expect((await readShopperState(db))?.pending.length).toBe(1);
});

test('a request whose token the server rejects is sent once more with a renewed one, and the change arrives', async () => {
  await tap(add());
  const malformedToken = async (): Promise<Answer<string>> => ({ ok: true, value: `${token}x` });
  expect(await save(malformedToken, goodToken)).toBe('saved');
  expect(paths()).toEqual(['push', 'push', 'pull', 'pull']);
  expect((await readShopperState(db))?.base?.cart).toMatchObject([{ productId, quantity: 1 }]);
  // The auth service issues no other token: the session has ended.
  expect(await save(malformedToken, signInNeeded)).toBe('sign-in');
});

test('with another shopper’s token no change is saved', async () => {
  await tap(add());
  const other = await newAccount(shop);
  const othersToken = async (): Promise<Answer<string>> => ({ ok: true, value: other.token });
  // A renewed token that the server rejects too is the server's fault, and the phone tries again later.
  expect(await save(othersToken, othersToken)).toBe('failed');
  // Without a renewed token the session has ended.
  expect(await save(othersToken, signInNeeded)).toBe('sign-in');
  const lines = 'select from public.cart_items where user_id = $1';
  expect(await shop.backend.query(lines, [other.id])).toEqual([]);
  expect((await readShopperState(db))?.pending.length).toBe(1);
});

test('a change for a product that left the shop is shown with its reason, and the others arrive', async () => {
  await tap(add(), add(999_999), add());
  expect(await save()).toBe('saved');
  const state = await readShopperState(db);
  expect(state?.base?.cart).toMatchObject([{ productId, quantity: 2 }]);
  expect(state?.rejected).toMatchObject([{ message: 'This product is no longer in the shop.' }]);
});

/**
 * An answer with rows is applied if the base is still the one asked about, or the answer is newer. An
 * answer without rows is applied if it names the stored version.
 */
describe('an answer to a pull', () => {
  const STAMP = 'a';
  const five = { ver: 5, stamp: STAMP };
  const six = { ver: 6, stamp: STAMP };

  /** Applies an answer of this version to a question about `since`. It brings rows, unless its data are null. */
  async function apply(
    since: Since,
    pulled: Partial<Pulled> & { readonly ver: number },
    asked: readonly string[] = [],
  ) {
    const device = await deviceId(db, idAndClock.newId);
    const data = { cart: [{ productId, quantity: 1, priceWhenAdded: null }], favourites: [] };
    const answer = { uid, device, stamp: STAMP, data, acks: [], rejected: [], ...pulled };
    return applyPull(db, since, asked, answer);
  }

  test('is not applied if it is older, for another shopper or device, or a change was made meanwhile', async () => {
    expect(await apply(null, { ver: 5 })).toBe('applied');
    expect(await apply(null, { ver: 4 })).toBe('stale');
    expect(await apply({ ver: 3, stamp: STAMP }, { ver: 3, data: null })).toBe('stale');
    expect(await apply(five, { ver: 5, data: null })).toBe('applied');
    expect(await apply(five, { ver: 6, uid: randomUUID() })).toBe('stale');
    expect(await apply(five, { ver: 6, device: randomUUID() })).toBe('stale');
    // Another tab may have sent a change that this pull did not ask about, and the rows may hold it.
    await tap(add());
    expect(await apply(five, { ver: 6 })).toBe('stale');
    const asked = (await readShopperState(db))?.pending.map(({ id }) => id) ?? [];
    expect(await apply(five, { ver: 6, acks: asked }, asked)).toBe('applied');
    expect((await readShopperState(db))?.pending).toEqual([]);
  });

  test('of a server that was restored from a backup is applied though its version is lower', async () => {
    expect(await apply(null, { ver: 6 })).toBe('applied');
    expect(await apply(six, { ver: 2, stamp: 'restored' })).toBe('applied');
    expect((await db.bases.get(uid))?.ver).toBe(2);
    // This answer is late: the base is no longer version 6, and 1 is older than the stored 2.
    expect(await apply(six, { ver: 1, stamp: 'restored' })).toBe('stale');
  });

  test('whose number is the stored one under another stamp is of another version', async () => {
    expect(await apply(null, { ver: 5 })).toBe('applied');
    expect(await apply(five, { ver: 5, stamp: 'b', data: null })).toBe('stale');
    expect(await apply(six, { ver: 5, stamp: 'b' })).toBe('stale');
    expect(await apply(five, { ver: 5, stamp: 'b' })).toBe('applied');
    expect((await db.bases.get(uid))?.stamp).toBe('b');
  });
});

test('a tap is not stored for another shopper, and a logout removes all data but unsaved changes', async () => {
  expect(await enqueue(db, randomUUID(), [add()], idAndClock)).toBe(false);
  expect(await tap(add())).toBe(true);
  await save();
  await tap(add(products[1]));
  await forgetShopperData(db, uid);
  expect(await db.bases.count()).toBe(0);
  expect(await db.rejected.count()).toBe(0);
  expect(await db.outbox.count()).toBe(1);
  await db.meta.delete('shopper');
  expect(await readShopperState(db)).toBeNull();
});

test('a run whose request was not sent, because there was no token, does not count as failed', async () => {
  await tap(add());
  expect(await save(async () => NO_TOKEN)).toBe('unsent');
  expect(requests).toEqual([]);
  // The server rejects this token, and the phone gets no other.
  const rejected = async () => ({ ok: true, value: 'a.b.c' }) as const;
  expect(await save(rejected, async () => NO_TOKEN)).toBe('unsent');
  expect(requests).toHaveLength(1);
});
