/** What the tab says when the account of a session that has ended was deleted on another phone. */
// First: Dexie looks for IndexedDB when it is imported.
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connection } from '../../src/db/connection.ts';
import { WeftDatabase } from '../../src/db/database.ts';
import { shopperStore, type ShopperView } from '../../src/db/shopper-store.ts';
import { dismissNotice, noticeStore } from '../../src/ui/notices.ts';
import { freshLocalStorage } from '../local-storage.ts';
import { viewOf } from '../shopper-view.ts';

freshLocalStorage();
beforeEach(async () => {
  vi.stubGlobal('location', new URL('https://shop.weft.test/'));
  await connection.open();
  dismissNotice();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/**
 * A tab whose shopper's session has ended, and that asks the shop whether the account was deleted.
 *
 * @param hasRoom whether the failure budget has room for the first question
 */
async function askAbout(uid: string, { hasRoom = true } = {}) {
  const { followDeletions } = await import('../../src/account/deleted-elsewhere.ts');
  const window = Object.assign(new EventTarget(), { setTimeout, clearTimeout });
  vi.stubGlobal('window', window);
  vi.stubGlobal('document', new EventTarget());
  const answer = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => answer.promise);
  // Otherwise this tab would also ask in later tests.
  vi.spyOn(shopperStore, 'subscribe').mockReturnValue(() => undefined);
  const take = vi.fn(() => true);
  if (!hasRoom) take.mockReturnValueOnce(false);
  shopperStore.set(endedViewOf(uid));
  followDeletions({ take, settle: () => undefined, spend: () => undefined });
  return {
    /** The shop's answer: the account was deleted. */
    learn: () => answer.resolve(Response.json({ deleted: true })),
    wakeUp: () => window.dispatchEvent(new Event('online')),
    /** How often this tab has asked. */
    questions: () => take.mock.calls.length,
  };
}

/** Shows this view before the shop answers that Ada's account was deleted. */
async function learnAfter(next: ShopperView): Promise<void> {
  const { learn } = await askAbout('ada');
  const keep = vi.spyOn(connection.failover, 'keep');
  shopperStore.set(next);
  learn();
  await vi.waitFor(() => expect(keep).toHaveBeenCalled());
  await Promise.all(keep.mock.results.map(({ value }) => value as Promise<unknown>));
}

function endedViewOf(uid: string): ShopperView {
  const view = viewOf(uid);
  return { ...view, shopper: { ...view.shopper, session: 'ended' } };
}

test('the owner of a deleted account reads that it was deleted', async () => {
  await learnAfter(endedViewOf('ada'));
  await vi.waitFor(() => expect(noticeStore.snapshot()?.text).toMatch(/account was deleted/));
  expect(noticeStore.snapshot()?.text).toMatch(/Nothing of it is left/);
});

test('the owner of a deleted account reads that the storage has refused to delete its data', async () => {
  const { learn } = await askAbout('ada');
  vi.spyOn(connection.failover, 'keep').mockRejectedValue(new Error('the storage fails'));
  vi.spyOn(connection, 'recoverFrom').mockResolvedValue();
  learn();
  await vi.waitFor(() => expect(noticeStore.snapshot()?.text).toMatch(/account was deleted/));
  expect(noticeStore.snapshot()?.text).toMatch(/could not delete its data/);
});

test('a tab in memory tells the owner of a deleted account that the device still has its data', async () => {
  const { learn } = await askAbout('ada');
  vi.spyOn(connection, 'kept', 'get').mockReturnValue('memory');
  vi.spyOn(WeftDatabase.prototype, 'open').mockRejectedValue(new Error('the storage fails'));
  learn();
  await vi.waitFor(() => expect(noticeStore.snapshot()?.text).toMatch(/account was deleted/));
  expect(noticeStore.snapshot()?.text).toMatch(/could not delete its data/);
});

test('a tab whose requests have failed too often asks later whether the account was deleted', async () => {
  const { learn, questions } = await askAbout('ada', { hasRoom: false });
  learn();
  await vi.waitFor(() => expect(noticeStore.snapshot()?.text).toMatch(/account was deleted/), 5000);
  expect(questions()).toBe(2);
});

test('a tab whose network comes back while the shop answers does not ask twice', async () => {
  const { learn, wakeUp, questions } = await askAbout('ada');
  wakeUp();
  expect(questions()).toBe(1);
  learn();
  await vi.waitFor(() => expect(noticeStore.snapshot()?.text).toMatch(/account was deleted/));
  wakeUp();
  expect(questions()).toBe(1);
});

test('a shopper who has signed in meanwhile does not read that an account was deleted', async () => {
  await learnAfter(viewOf('eve'));
  await new Promise((resolve) => setTimeout(resolve));
  expect(noticeStore.snapshot()).toBeNull();
});
