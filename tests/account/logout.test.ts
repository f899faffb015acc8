/** What the tab says about a logout that the storage of the device refuses. */
// First: Dexie looks for IndexedDB when it is imported.
import 'fake-indexeddb/auto';
import { afterEach, expect, test, vi } from 'vitest';
import { connection } from '../../src/db/connection.ts';
import { noticeStore } from '../../src/ui/notices.ts';

/** Longer than the second after which the tab says that a logout waits for the storage. */
const TWO_SECONDS_MS = 2000;

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a logout that the storage refuses does not say later that it waits for the storage', async () => {
  vi.stubGlobal('location', new URL('https://shop.weft.test/'));
  // Imported late: `remote/config.ts` reads `location` while it loads.
  const { logOut } = await import('../../src/account/mutations.ts');
  await connection.open();
  const error = new DOMException('the storage fails', 'UnknownError');
  vi.spyOn(connection.storage, 'write').mockRejectedValue(error);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  expect(await logOut('ada')).toBe(false);
  await vi.advanceTimersByTimeAsync(TWO_SECONDS_MS);
  expect(noticeStore.snapshot()).toBeNull();
});
