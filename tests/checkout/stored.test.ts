/** What the device stores of orders and the checkout, and when that is deleted. */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimOrderId, keepDraft, readDraft, releaseOrderId } from '../../src/db/checkout-draft.ts';
import { WeftDatabase } from '../../src/db/database.ts';
import { forgetShopper } from '../../src/db/identity.ts';
import { keepOrders, readOrders } from '../../src/db/orders.ts';
import { sessionStore } from '../../src/db/session-store.ts';
import type { Order } from '../../src/domain/order.ts';

let db: WeftDatabase;

beforeEach(async () => {
  db = new WeftDatabase({ indexedDB: new IDBFactory(), IDBKeyRange });
  await db.open();
});
afterEach(() => db.close());

const signIn = (uid: string) =>
  sessionStore({ database: () => db }).setItem(
    'weft-session',
    JSON.stringify({ user: { id: uid, email: '' } }),
  );

const ORDER = { id: '00000000-0000-4000-8000-000000000000' } as Order; // stored as it comes

/** Stores an order, a typed address and a pending order for a shopper. */
async function fill(uid: string): Promise<void> {
  await keepOrders(db, uid, [ORDER]);
  await keepDraft(db, uid, { full_name: 'Ada Weaver' });
  await claimOrderId(db, { uid, content: 'a cart' }, () => 'an id');
}

/** The numbers of stored order lists, addresses and pending orders. */
const counts = async () => [
  await db.orders.count(),
  await db.drafts.count(),
  await db.running.count(),
];

test('a logout removes orders, address and pending order from the device', async () => {
  await signIn('ada');
  await fill('ada');
  expect(await counts()).toEqual([1, 1, 1]);
  await forgetShopper(db, 'ada');
  expect(await counts()).toEqual([0, 0, 0]);
});

test('orders and address are read only for the shopper who is logged in', async () => {
  const read = async (uid: string) => [await readOrders(db, uid), await readDraft(db, uid)];
  await signIn('ada');
  await fill('ada');
  expect(await read('ada')).toEqual([[ORDER], { uid: 'ada', fields: { full_name: 'Ada Weaver' } }]);
  expect(await read('bob')).toEqual([null, null]);
  // Signs Bob in without deleting what Ada has left.
  await db.meta.put({ key: 'shopper', uid: 'bob', email: '', session: 'live' });
  expect(await counts()).toEqual([1, 1, 1]);
  expect(await read('ada')).toEqual([null, null]);
});

test('a shopper who logs in without a logout between finds nothing of the shopper before', async () => {
  await signIn('ada');
  await fill('ada');
  await signIn('bob');
  expect(await counts()).toEqual([0, 0, 0]);
});

test('data that arrives after another shopper has logged in is not stored', async () => {
  await signIn('bob');
  await fill('ada');
  expect(await counts()).toEqual([0, 0, 0]);
});

test('orders, typed address and pending order stay when the session ends', async () => {
  await signIn('ada');
  await fill('ada');
  await sessionStore({ database: () => db }).removeItem('weft-session');
  expect(await counts()).toEqual([1, 1, 1]);
});

test('releasing an order’s id removes its pending order and no other', async () => {
  await signIn('ada');
  await fill('ada');
  await releaseOrderId(db, 'another id');
  expect(await counts()).toEqual([1, 1, 1]);
  await releaseOrderId(db, 'an id');
  expect(await counts()).toEqual([1, 1, 0]);
});
