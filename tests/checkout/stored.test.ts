/** What the device stores of orders and the checkout, and when that is deleted. */
import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimOrderId, keepDraft, readDraft, releaseOrderId } from '../../src/db/checkout-draft.ts';
import { WeftDatabase } from '../../src/db/database.ts';
import { forgetShopper, sessionStore } from '../../src/db/identity.ts';
import { keepOrders, readOrders } from '../../src/db/orders.ts';
import { NO_MONEY_BACK } from '../../src/domain/money-back.ts';
import type { Order } from '../../src/domain/order.ts';
import { ADDRESS } from './address.ts';

let db: WeftDatabase;

beforeEach(async () => {
  db = new WeftDatabase({ indexedDB: new IDBFactory(), IDBKeyRange });
  await db.open();
});
afterEach(() => db.close());

const signIn = (uid: string) =>
  sessionStore(() => db).setItem('weft-session', JSON.stringify({ user: { id: uid, email: '' } }));

const TOTAL = 900;
const ORDER: Order = {
  id: '00000000-0000-4000-8000-000000000000',
  state: 'paid',
  totalMinor: TOTAL,
  mode: 'sandbox',
  address: ADDRESS,
  createdAt: '2026-11-21T00:00:00Z',
  paidAt: '2026-11-21T00:01:00Z',
  lines: [],
  receivedMinor: TOTAL,
  refundedMinor: 0,
  disputedMinor: 0,
  dispute: null,
};

/** Stores an order, a typed address and a pending order for a shopper. */
async function fill(uid: string): Promise<void> {
  await keepOrders(db, uid, [ORDER]);
  await keepDraft(db, uid, { full_name: 'Ada Weaver' });
  await claimOrderId(db, { uid, content: 'a cart', cart: '[]' }, () => 'an id');
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
  await forgetShopper(db);
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

test('a shopper who logs in without a logout between finds nothing of the last one', async () => {
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
  await sessionStore(() => db).removeItem('weft-session');
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

test('a device with a database from before orders existed keeps its data', async () => {
  const options = { indexedDB: new IDBFactory(), IDBKeyRange };
  const old = new Dexie('weft', options);
  old.version(1).stores({ chunks: '[generation+seq]', meta: 'key' });
  old.version(2).stores({
    session: 'key',
    bases: 'uid',
    outbox: '++seq, [uid+seq], id',
    refused: 'id, uid',
  });
  await old.open();
  await old.table('outbox').add({ uid: 'ada', id: 'a change' });
  old.close();
  const next = new WeftDatabase(options);
  await next.open();
  expect(await next.outbox.toArray()).toEqual([{ seq: 1, uid: 'ada', id: 'a change' }]);
  expect(await next.orders.count()).toBe(0);
  next.close();
});

test('an order that an earlier build stored without receipts, refunds and disputes is read with none', async () => {
  await signIn('ada');
  const earlier = Object.entries(ORDER).filter(([field]) => !(field in NO_MONEY_BACK));
  await keepOrders(db, 'ada', [Object.fromEntries(earlier) as unknown as Order]);
  expect(await readOrders(db, 'ada')).toEqual([{ ...ORDER, receivedMinor: 0 }]);
});
