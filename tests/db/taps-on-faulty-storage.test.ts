/** Taps while single writes fail: each is stored once, or the shopper is told that it was not. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ANNA, rejectedRow } from './catalogue.ts';
import { addOne, device, loadTab, plugInDeviceBeforeEach, type Tab } from './tab.ts';

let tab: Tab;
let reported: unknown[];

plugInDeviceBeforeEach({ stopsTimers: false });
beforeEach(async () => {
  reported = [];
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
  tab = await loadTab();
  await tab.connection.open();
  await tab.connection.db.meta.put({ key: 'shopper', uid: ANNA, email: '', session: 'live' });
});
afterEach(() => tab.connection.db.close());

/** Ends all faults, and reads the changes in the device's outbox. */
async function storedChanges(): Promise<unknown[]> {
  device.heal();
  const db = new tab.WeftDatabase();
  const rows = await db.outbox.toArray();
  db.close();
  return rows.map(({ change: { kind, args } }) => [kind, args]);
}

test('a tap whose write fails once is stored on the phone', async () => {
  device.fail({ store: 'outbox', name: 'UnknownError', times: 1 });
  expect(await addOne(tab)).toBe('done');
  expect(tab.connection.kept).toBe('device');
  expect(await storedChanges()).toEqual([['cart.add', { productId: 1, by: 1 }]]);
  expect(reported).toEqual([]);
});

test('a tap that the phone cannot store is reported as not stored', async () => {
  device.fail({ store: 'outbox', atCommit: true });
  expect(await addOne(tab)).toBe('not-stored');
  expect(await storedChanges()).toEqual([]);
  expect(reported).toEqual([]);
});

test('a tap that was stored although the storage said it failed is stored once', async () => {
  const { db } = tab.connection;
  const transaction = db.transaction.bind(db) as (...args: unknown[]) => Promise<unknown>;
  let losesAnswer = true;
  Object.assign(db, {
    transaction: async (...args: unknown[]) => {
      const result = await transaction(...args);
      if (!losesAnswer) return result;
      losesAnswer = false;
      throw new DOMException('the answer is lost', 'UnknownError');
    },
  });
  expect(await addOne(tab)).toBe('done');
  expect(await storedChanges()).toHaveLength(1);
});

test('a bug in a tap is reported, and the shopper is told that it was not stored', async () => {
  const outcome = await tab.enqueue(() => {
    throw new TypeError('a bug');
  });
  expect(outcome).toBe('not-stored');
  expect(reported).toHaveLength(1);
});

test('a rejected change that is dismissed on a failing phone is not lost', async () => {
  const { db } = tab.connection;
  await db.rejected.put(rejectedRow(ANNA, 'r'));
  device.fail({ store: 'rejected' });
  expect(await tab.dismiss('r')).toBe('not-stored');
  device.heal();
  expect(await db.rejected.count()).toBe(1);
});
