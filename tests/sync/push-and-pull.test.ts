/** One run of the shopper's sync with the real database: pushes, pulls, and answers that are not applied. */
import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { WeftDatabase } from '../../src/db/database.ts';
import {
  applyPull,
  deviceId,
  dismissRejected,
  enqueue,
  forgetShopperData,
  readShopperState,
} from '../../src/db/shopper-log.ts';
import type { ChangeAction } from '../../src/domain/change.ts';
import { shopperRemote } from '../../src/remote/shopper.ts';
import { type Answer, NO_TOKEN, SIGN_IN_NEEDED } from '../../src/domain/failure.ts';
import { pushAndPull, type RunMemory } from '../../src/sync/push-and-pull.ts';
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
const noToken = async (): Promise<Answer<string>> => SIGN_IN_NEEDED;

const save = (accessToken = goodToken, refreshNow = noToken) => {
  const options = { url: shop.url, key: shop.backend.publishableKey, fetch: countingFetch };
  return pushAndPull(
    { db, remote: shopperRemote(options, { accessToken, refreshNow }), memory, ...idAndClock },
    uid,
    signal,
  );
};

const add = (productId: number): ChangeAction => ({ kind: 'cart.add', args: { productId, by: 1 } });

test('a thousand taps reach the server in twenty pushes and one pull', async () => {
  for (let i = 0; i < TAPS; i++)
    await enqueue(db, uid, [add(products[i % PRODUCTS] ?? 0)], idAndClock);
  expect(await save()).toBe('saved');
  expect(requests.map(({ path }) => path)).toEqual([...Array(TAPS / BATCH).fill('push'), 'pull']);
  const state = await readShopperState(db);
  expect(state?.pending).toEqual([]);
  expect(state?.base?.cart.map(({ quantity }) => quantity)).toEqual(
    Array(PRODUCTS).fill(TAPS / PRODUCTS),
  );
});

test('with nothing new, one pull of at most 300 bytes is all', async () => {
  await save();
  requests = [];
  expect(await save()).toBe('saved');
  expect(requests.map(({ path }) => path)).toEqual(['pull']);
  expect(requests[0]?.answerBytes).toBeLessThanOrEqual(300);
});

test('without a token of this shopper nothing is sent at all', async () => {
  await enqueue(db, uid, [add(1)], idAndClock);
  expect(await save(noToken)).toBe('sign-in');
  expect(requests).toEqual([]);
  expect((await readShopperState(db))?.pending.length).toBe(1);
});

test('a token that the server rejects is renewed once, and the change then arrives', async () => {
  await enqueue(db, uid, [add(productId)], idAndClock);
  const malformedToken = async (): Promise<Answer<string>> => ({ ok: true, value: `${token}x` });
  expect(await save(malformedToken, goodToken)).toBe('saved');
  expect(await save(malformedToken, noToken)).toBe('sign-in');
});

test('with another shopper’s token no change is saved', async () => {
  await enqueue(db, uid, [add(productId)], idAndClock);
  const other = await newAccount(shop);
  const othersToken = async (): Promise<Answer<string>> => ({ ok: true, value: other.token });
  expect(await save(othersToken, othersToken)).toBe('failed');
  expect(await save(othersToken, noToken)).toBe('sign-in');
  const lines = 'select from public.cart_items where user_id = $1';
  expect(await shop.backend.query(lines, [other.id])).toEqual([]);
  expect((await readShopperState(db))?.pending.length).toBe(1);
});

test('a change for a product that left the shop is shown with its reason, and the others arrive', async () => {
  await enqueue(db, uid, [add(productId), add(999_999), add(productId)], idAndClock);
  expect(await save()).toBe('saved');
  const state = await readShopperState(db);
  expect(state?.base?.cart).toMatchObject([{ productId, quantity: 2 }]);
  expect(state?.rejected).toMatchObject([{ message: 'This product is no longer in the shop.' }]);
  await dismissRejected(db, state?.rejected.map((row) => row.id) ?? []);
  expect((await readShopperState(db))?.rejected).toEqual([]);
});

test('an answer that is older, for another shopper, or about another base is not applied', async () => {
  const device = await deviceId(db, idAndClock.newId);
  const line = { productId: 1, quantity: 1, priceWhenAdded: null };
  const stamp = 'a';
  const answer = { uid, device, stamp, acks: [], rejected: [] };
  const data = { cart: [line], favourites: [] };
  const five = { ver: 5, stamp };
  type Pulled = Parameters<typeof applyPull>[3];
  const apply = (base: Parameters<typeof applyPull>[1], pulled: Pulled, asked: string[] = []) =>
    applyPull(db, base, asked, pulled);
  expect(await apply(null, { ...answer, ver: 5, data })).toBe('applied');
  expect(await apply(null, { ...answer, ver: 4, data })).toBe('stale');
  expect(await apply({ ver: 3, stamp }, { ...answer, ver: 3, data: null })).toBe('stale');
  expect(await apply(five, { ...answer, ver: 5, data: null })).toBe('applied');
  expect(await apply(five, { ...answer, uid: randomUUID(), ver: 6, data })).toBe('stale');
  expect(await apply(five, { ...answer, device: randomUUID(), ver: 6, data })).toBe('stale');
  // Another tab may have sent a change that this one did not ask about: it may be in the rows.
  await enqueue(db, uid, [add(1)], idAndClock);
  expect(await apply(five, { ...answer, ver: 6, data })).toBe('stale');
  const asked = (await readShopperState(db))?.pending.map(({ id }) => id) ?? [];
  expect(await apply(five, { ...answer, ver: 6, acks: asked, data }, asked)).toBe('applied');
  expect((await readShopperState(db))?.pending).toEqual([]);
  // The server was restored from a backup: its lower version is applied.
  const six = { ver: 6, stamp };
  expect(await apply(six, { ...answer, ver: 2, data })).toBe('applied');
  expect((await db.bases.get(uid))?.ver).toBe(2);
  // Another tab has heard of that already, and of one version more.
  expect(await apply(six, { ...answer, ver: 1, data })).toBe('stale');
  // The same number under another stamp is another version.
  const other = { ...answer, stamp: 'b' };
  const two = { ver: 2, stamp };
  expect(await apply(two, { ...other, ver: 2, data: null })).toBe('stale');
  expect(await apply(six, { ...other, ver: 2, data })).toBe('stale');
  expect(await apply(two, { ...other, ver: 2, data })).toBe('applied');
  expect((await db.bases.get(uid))?.stamp).toBe('b');
});

test('a tap is not stored for another shopper, and a logout removes all data but unsaved changes', async () => {
  expect(await enqueue(db, randomUUID(), [add(1)], idAndClock)).toBe(false);
  expect(await enqueue(db, uid, [add(1)], idAndClock)).toBe(true);
  await save();
  await enqueue(db, uid, [add(2)], idAndClock);
  await forgetShopperData(db, uid);
  expect(await db.bases.count()).toBe(0);
  expect(await db.refused.count()).toBe(0);
  expect(await db.outbox.count()).toBe(1);
  await db.meta.delete('shopper');
  expect(await readShopperState(db)).toBeNull();
});

test('a run whose request was not sent, because there was no token, does not count as failed', async () => {
  await enqueue(db, uid, [add(productId)], idAndClock);
  expect(await save(async () => NO_TOKEN)).toBe('unsent');
  expect(requests).toEqual([]);
  // The server rejects this token, and no other is to be had.
  const rejected = async () => ({ ok: true, value: 'a.b.c' }) as const;
  expect(await save(rejected, async () => NO_TOKEN)).toBe('unsent');
  expect(requests).toHaveLength(1);
});
