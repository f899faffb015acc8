import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { WeftDatabase } from '../../src/db/database.ts';
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
import { type Answer, SIGN_IN_NEEDED } from '../../src/domain/failure.ts';
import { pushAndPull, type RunMemory } from '../../src/sync/push-and-pull.ts';
import { clientOf, openTestShop, type TestShop } from '../supabase/shop.ts';
import { numbered, stock } from '../supabase/stock.ts';
import { letAMinutePass } from './phones.ts';

const { signal } = new AbortController();
const idAndClock = { newId: () => randomUUID(), now: () => new Date() };

let shop: TestShop;
let db: WeftDatabase;
let uid: string;
let token: string;
let requests: { path: string; authorization: string | null; answerBytes: number }[];
let shoppers = 0;
let memory: RunMemory;

beforeAll(async () => {
  shop = await openTestShop();
  await stock(shop.backend, numbered(20));
});
afterAll(() => shop.close());
beforeEach(async () => {
  shoppers += 1;
  const email = `phone-${shoppers}@weft.test`;
  await shop.backend.addAccount({ email, password: 'loom-and-thread' });
  const { data } = await clientOf(shop).auth.signInWithPassword({
    email,
    password: 'loom-and-thread',
  });
  uid = data.user?.id ?? '';
  token = data.session?.access_token ?? '';
  db = new WeftDatabase();
  // Each phone has a database of its own: the name is all that is changed.
  Object.defineProperty(db, 'name', { value: `weft-${randomUUID()}` });
  await db.meta.put({ key: 'shopper', uid, email, session: 'live' });
  requests = [];
  memory = { unseen: null };
});

async function counting(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  await letAMinutePass(shop);
  const answer = await fetch(request);
  const body = await answer.clone().arrayBuffer();
  requests.push({
    path: new URL(request.url).pathname.split('/').at(-1) ?? '',
    authorization: request.headers.get('authorization'),
    answerBytes: body.byteLength,
  });
  return answer;
}

const own = async (): Promise<Answer<string>> => ({ ok: true, value: token });
const none = async (): Promise<Answer<string>> => SIGN_IN_NEEDED;

const save = (accessToken = own, refreshNow = none) => {
  const options = { url: shop.url, key: shop.backend.publishableKey, fetch: counting };
  return pushAndPull(
    { db, remote: shopperRemote(options, { accessToken, refreshNow }), memory, ...idAndClock },
    uid,
    signal,
  );
};

const products = async () =>
  (await shop.backend.query('select id from public.products order by id')).map((row) =>
    Number(row['id']),
  );

const add = (productId: number): ChangeAction => ({ kind: 'cart.add', args: { productId, by: 1 } });

test('a thousand taps reach the server in twenty pushes and one pull', async () => {
  const ids = await products();
  for (let i = 0; i < 1000; i++) await enqueue(db, uid, [add(ids[i % 20] ?? 0)], idAndClock);
  expect(await save()).toBe('saved');
  expect(requests.map(({ path }) => path)).toEqual([...Array(20).fill('push'), 'pull']);
  const state = await readShopperState(db);
  expect(state?.pending).toEqual([]);
  expect(state?.base?.cart.map(({ quantity }) => quantity)).toEqual(Array(20).fill(50));
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
  expect(await save(none)).toBe('sign-in');
  expect(requests).toEqual([]);
  expect((await readShopperState(db))?.pending.length).toBe(1);
});

test('a token that the server refuses is renewed once, and the change then arrives', async () => {
  const [id = 0] = await products();
  await enqueue(db, uid, [add(id)], idAndClock);
  const bad = async (): Promise<Answer<string>> => ({ ok: true, value: `${token}x` });
  expect(await save(bad, own)).toBe('saved');
  expect(await save(bad, none)).toBe('sign-in');
});

test('another shopper’s token takes nothing and changes nothing', async () => {
  const [id = 0] = await products();
  await enqueue(db, uid, [add(id)], idAndClock);
  const email = `other-${shoppers}@weft.test`;
  await shop.backend.addAccount({ email, password: 'loom-and-thread' });
  const { data } = await clientOf(shop).auth.signInWithPassword({
    email,
    password: 'loom-and-thread',
  });
  const foreign = data.session?.access_token ?? '';
  const wrong = async (): Promise<Answer<string>> => ({ ok: true, value: foreign });
  expect(await save(wrong, wrong)).toBe('failed');
  expect(await save(wrong, none)).toBe('sign-in');
  const rows = await shop.backend.query('select 1 from public.cart_items where user_id = $1', [
    data.user?.id,
  ]);
  expect(rows).toEqual([]);
  expect((await readShopperState(db))?.pending.length).toBe(1);
});

test('a change for a product that left is parked with its reason, and the others arrive', async () => {
  const [id = 0] = await products();
  await enqueue(db, uid, [add(id), add(999_999), add(id)], idAndClock);
  expect(await save()).toBe('saved');
  const state = await readShopperState(db);
  expect(state?.base?.cart).toMatchObject([{ productId: id, quantity: 2 }]);
  expect(state?.rejected).toMatchObject([{ message: 'This product is no longer in the shop.' }]);
  await dismissRejected(db, state?.rejected.map((row) => row.id) ?? []);
  expect((await readShopperState(db))?.rejected).toEqual([]);
});

test('an answer that was overtaken, is for somebody else, or speaks of another base is not taken', async () => {
  const device = await deviceId(db, idAndClock.newId);
  const line = { productId: 1, quantity: 1, priceWhenAdded: null };
  const stamp = 'a';
  const answer = { uid, device, stamp, acks: [], rejected: [] };
  const data = { cart: [line], favourites: [] };
  const five = { ver: 5, stamp };
  expect(await applyPull(db, null, [], { ...answer, ver: 5, data })).toBe('applied');
  expect(await applyPull(db, null, [], { ...answer, ver: 4, data })).toBe('stale');
  expect(await applyPull(db, { ver: 3, stamp }, [], { ...answer, ver: 3, data: null })).toBe(
    'stale',
  );
  expect(await applyPull(db, five, [], { ...answer, ver: 5, data: null })).toBe('applied');
  expect(await applyPull(db, five, [], { ...answer, uid: randomUUID(), ver: 6, data })).toBe(
    'stale',
  );
  expect(await applyPull(db, five, [], { ...answer, device: randomUUID(), ver: 6, data })).toBe(
    'stale',
  );
  // Another tab may have sent a change that this one did not ask about: it may be in the rows.
  await enqueue(db, uid, [add(1)], idAndClock);
  expect(await applyPull(db, five, [], { ...answer, ver: 6, data })).toBe('stale');
  const asked = (await readShopperState(db))?.pending.map(({ id }) => id) ?? [];
  expect(await applyPull(db, five, asked, { ...answer, ver: 6, acks: asked, data })).toBe(
    'applied',
  );
  expect((await readShopperState(db))?.pending).toEqual([]);
  // The server went back to an earlier day: its word holds.
  const six = { ver: 6, stamp };
  expect(await applyPull(db, six, [], { ...answer, ver: 2, data })).toBe('applied');
  expect((await db.bases.get(uid))?.ver).toBe(2);
  // Another tab has heard of that already, and of one version more.
  expect(await applyPull(db, six, [], { ...answer, ver: 1, data })).toBe('stale');
  // The same number under another stamp is another version.
  const other = { ...answer, stamp: 'b' };
  const two = { ver: 2, stamp };
  expect(await applyPull(db, two, [], { ...other, ver: 2, data: null })).toBe('stale');
  expect(await applyPull(db, six, [], { ...other, ver: 2, data })).toBe('stale');
  expect(await applyPull(db, two, [], { ...other, ver: 2, data })).toBe('applied');
  expect((await db.bases.get(uid))?.stamp).toBe('b');
});

test('nobody’s tap is taken in another’s name, and a logout forgets all but what is unsaved', async () => {
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
