/** What the tab says when the account of a session that has ended was deleted on another phone. */
// First: Dexie looks for IndexedDB when it is imported.
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connection } from '../../src/db/connection.ts';
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

/** Lets Ada's session end, and shows this view before the shop answers that her account was deleted. */
async function learnAfter(next: ShopperView): Promise<void> {
  const { followDeletions } = await import('../../src/account/deleted-elsewhere.ts');
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', new EventTarget());
  const answer = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => answer.promise);
  const keep = vi.spyOn(connection.failover, 'keep');
  shopperStore.set(endedViewOf('ada'));
  followDeletions({ take: () => true, settle: () => undefined, spend: () => undefined });
  shopperStore.set(next);
  answer.resolve(Response.json({ deleted: true }));
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
});

test('a shopper who has signed in meanwhile does not read that an account was deleted', async () => {
  await learnAfter(viewOf('eve'));
  await new Promise((resolve) => setTimeout(resolve));
  expect(noticeStore.snapshot()).toBeNull();
});
