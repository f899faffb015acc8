/** One run of the shopper's sync with the real database: what it sends, and how it ends. */
import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';
import type { WeftDatabase } from '../../src/db/database.ts';
import { forgetShopper, replaceSession } from '../../src/db/identity.ts';
import { enqueueIn } from '../../src/db/outbox.ts';
import { readShopperState } from '../../src/db/shopper-data.ts';
import { type ChangeAction, NOTHING } from '../../src/domain/change.ts';
import { PUSH_LIMIT, type ShopperRemote, shopperRemote } from '../../src/remote/shopper.ts';
import { type Answer, NO_TOKEN, OFFLINE, SIGN_IN_NEEDED } from '../../src/domain/failure.ts';
import { pushAndPull, type RunMemory } from '../../src/sync/shopper.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';
import { columnOf } from '../supabase/column.ts';
import { addShopper, ageChanges } from '../supabase/shoppers.ts';
import { numbered, stock } from '../supabase/stock.ts';
import { newDatabase } from './new-database.ts';

const shop = await openShopForFile();
await stock(shop.backend, numbered(1));
const productId = Number((await columnOf(shop.backend, 'select id from public.products'))[0]);

let db: WeftDatabase;
let uid: string;
let token: string;
let requests: { path: string; answerBytes: number }[];
let memory: RunMemory;

beforeEach(async () => {
  const account = await addShopper(shop, randomUUID());
  ({ id: uid, token } = account);
  db = newDatabase();
  await db.meta.put({ key: 'shopper', uid, email: account.email, session: 'live' });
  requests = [];
  memory = { unpulled: null };
});

/** Sends a request and counts it. */
async function countingFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
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
  return run(shopperRemote(options, { accessToken, refreshNow }));
};
const run = (remote: ShopperRemote, { signal } = new AbortController()) =>
  pushAndPull({ db, remote, memory }, uid, signal);

const add = (): ChangeAction => ({ kind: 'cart.add', args: { productId, by: 1 } });
/** Puts changes into the phone's outbox, as taps do. */
const tap = (...changes: ChangeAction[]) => enqueueIn(db, uid, changes, randomUUID);
/** Without `release`, which a run does not wait for. */
const paths = () => requests.map(({ path }) => path).filter((path) => path !== 'release');

/** The session that the auth service gives the shopper, as auth-js stores it. */
const logIn = () =>
  replaceSession(
    db,
    () => true,
    JSON.stringify({ user: { id: uid, email: '', app_metadata: {} } }),
  );

test('a change that the server has forgotten is not applied again when the phone’s storage is set back', async () => {
  await logIn();
  await tap(add());
  const outbox = await db.outbox.toArray();
  const meta = await db.meta.toArray();
  // The server applies the change, hears that the phone holds it no more, and forgets it.
  await save();
  await expect.poll(() => requests.at(-1)?.path).toBe('release');
  await ageChanges(shop, 31);
  const remembered = 'select from public.applied_changes where user_id = $1';
  expect(await shop.backend.query(remembered, [uid])).toEqual([]);
  await db.bases.clear();
  await db.meta.clear();
  await db.meta.bulkPut(meta);
  await db.outbox.bulkPut(outbox);
  await forgetShopper(db, uid);
  await logIn();
  expect(await save()).toBe('saved');
  const state = await readShopperState(db);
  expect(state?.base?.cart.map(({ quantity }) => quantity)).toEqual([1]);
  expect(state?.rejected).toHaveLength(1);
});

test('a phone releases its changes when none waits', async () => {
  await tap(add());
  const tappingAtFirstPull = async () => {
    if (requests.length === 1) await tap(add());
    return goodToken();
  };
  expect(await save(tappingAtFirstPull)).toBe('saved');
  await expect.poll(() => requests.at(-1)?.path).toBe('release');
  expect(requests.map(({ path }) => path)).toEqual(['push', 'pull', 'push', 'pull', 'release']);
});

// Vitest itself fails the run when nobody handles the rejection.
test('storage that fails when the release needs a token does not fail the run', async () => {
  await logIn();
  await tap(add());
  const lost = vi.fn<() => Promise<never>>(async () => Promise.reject(new Error('lost')));
  expect(await save(async () => (requests.length < 2 ? goodToken() : lost()))).toBe('saved');
  await expect.poll(() => lost.mock.calls.length).toBe(1);
});

test('what was tapped offline leaves in as few pushes as possible, and one pull follows', async () => {
  await logIn();
  await tap(...Array.from({ length: 2 * PUSH_LIMIT + 1 }, add));
  expect(await save()).toBe('saved');
  expect(paths()).toEqual(['push', 'push', 'push', 'pull']);
});

test('a sync with nothing new is one pull of at most 300 bytes', async () => {
  await save();
  requests = [];
  expect(await save()).toBe('saved');
  expect(paths()).toEqual(['pull']);
  expect(requests[0]?.answerBytes).toBeLessThanOrEqual(300);
});

test('with another shopper’s token no change is saved', async () => {
  await tap(add());
  const other = await addShopper(shop, randomUUID());
  const othersToken = async (): Promise<Answer<string>> => ({ ok: true, value: other.token });
  // A renewed token that the server rejects too is the server's fault, and the phone tries again later.
  expect(await save(othersToken, othersToken)).toBe('failed');
  // Without a renewed token the session has ended.
  expect(await save(othersToken, signInNeeded)).toBe('sign-in');
  const lines = 'select from public.cart_items where user_id = $1';
  expect(await shop.backend.query(lines, [other.id])).toEqual([]);
  expect((await readShopperState(db))?.pending.length).toBe(1);
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

const NOTHING_RELEASED = { release: async () => null };

test('an answer for another phone is asked for once in a run, not again and again', async () => {
  const device = randomUUID();
  const pull: ShopperRemote['pull'] = async () => {
    requests.push({ path: 'pull', answerBytes: 0 });
    const value = { uid, device, ver: 1, stamp: '1', data: NOTHING, acks: [], rejected: [] };
    return { ok: true, value };
  };
  expect(await run({ ...NOTHING_RELEASED, push: async () => OFFLINE, pull })).toBe('failed');
  expect(paths()).toEqual(['pull']);
});

test('a run that is stopped counts as aborted, not as offline', async () => {
  await tap(add());
  const stopping = new AbortController();
  const push: ShopperRemote['push'] = async () => {
    stopping.abort();
    return OFFLINE;
  };
  expect(await run({ ...NOTHING_RELEASED, push, pull: async () => OFFLINE }, stopping)).toBe(
    'aborted',
  );
});
