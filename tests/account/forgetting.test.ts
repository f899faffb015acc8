/** What the tab says when the account was deleted, here or on another phone. */
// First: Dexie looks for IndexedDB when it is imported.
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connection } from '../../src/db/connection.ts';
import { shopperStore } from '../../src/db/shopper-store.ts';
import { dismissNotice, noticeStore } from '../../src/ui/notices.ts';
import { plugInStorage } from '../page-storage.ts';
import { viewOf } from '../shopper-view.ts';

beforeEach(async () => {
  plugInStorage('localStorage');
  vi.stubGlobal('location', new URL('https://shop.weft.test/'));
  await connection.open();
  dismissNotice();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Does what a tab of Ada's does when the shop says that her account was deleted. */
async function forgetAda(): Promise<void> {
  // Imported late: `remote/config.ts` reads `location` while it loads.
  const { forgetAccount } = await import('../../src/account/mutations.ts');
  shopperStore.set(viewOf('ada'));
  await forgetAccount('ada');
}

test('the owner of a deleted account reads that it was deleted', async () => {
  await forgetAda();
  expect(noticeStore.snapshot()?.text).toMatch(/account was deleted. We’ve removed its data/);
});

test('the owner of a deleted account reads that the storage has refused to delete its data', async () => {
  const error = new DOMException('the storage fails', 'UnknownError');
  vi.spyOn(connection.storage, 'write').mockRejectedValue(error);
  await forgetAda();
  expect(noticeStore.snapshot()?.text).toMatch(/account was deleted.*couldn’t delete its data/);
});
