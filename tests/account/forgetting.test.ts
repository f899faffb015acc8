/** What the tab says when the account was deleted on another phone. */
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

/** Shows this view before the tab forgets Ada's account, of which the shop has said that it is gone. */
async function forgetAfter(next: ShopperView): Promise<void> {
  const { forgetDeletedAccount } = await import('../../src/account/mutations.ts');
  shopperStore.set(next);
  await forgetDeletedAccount('ada');
}

function endedViewOf(uid: string): ShopperView {
  const view = viewOf(uid);
  return { ...view, shopper: { ...view.shopper, session: 'ended' } };
}

test('the owner of a deleted account reads that it was deleted', async () => {
  await forgetAfter(endedViewOf('ada'));
  expect(noticeStore.snapshot()?.text).toMatch(/account was deleted. We’ve removed its data/);
});

test('the owner of a deleted account reads that the storage has refused to delete its data', async () => {
  const error = new DOMException('the storage fails', 'UnknownError');
  vi.spyOn(connection.storage, 'write').mockRejectedValue(error);
  await forgetAfter(endedViewOf('ada'));
  expect(noticeStore.snapshot()?.text).toMatch(/account was deleted.*couldn’t delete its data/);
});

test('a shopper who has signed in meanwhile does not read that an account was deleted', async () => {
  await forgetAfter(viewOf('eve'));
  expect(noticeStore.snapshot()).toBeNull();
});

test('the tab that deletes the account leaves the words to its dialog, though a pull hears of it first', async () => {
  const { deleteAccount, forgetDeletedAccount } = await import('../../src/account/mutations.ts');
  const { pageSession } = await import('../../src/db/session-store.ts');
  const user = { id: 'ada', email: 'ada@weft.test' };
  const tokens = { access_token: 'a', refresh_token: 'r', expires_at: 4e9 };
  await pageSession.setItem('weft-session', JSON.stringify({ ...tokens, user }));
  shopperStore.set(viewOf('ada'));
  const answer = Promise.withResolvers<Response>();
  const fetch = vi.fn<() => Promise<Response>>(() => answer.promise);
  vi.stubGlobal('fetch', fetch);
  const deletion = deleteAccount('ada', 'secret-1');
  await vi.waitFor(() => expect(fetch).toHaveBeenCalled());
  const pull = forgetDeletedAccount('ada');
  answer.resolve(Response.json({ deleted: true }));
  expect(await deletion).toEqual({ ok: true, value: true });
  await pull;
  expect(noticeStore.snapshot()).toBeNull();
});
