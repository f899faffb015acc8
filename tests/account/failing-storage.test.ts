/** What forms say when the browser cannot store what a login or a mail needs. */
// First: Dexie looks for IndexedDB when it is imported.
import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { connection } from '../../src/db/connection.ts';
import { plugInStorage } from '../page-storage.ts';

test.each(['requestPasswordReset', 'resendConfirmation'] as const)(
  '%s says that the storage is full, instead of nothing',
  async (request) => {
    plugInStorage('localStorage');
    vi.stubGlobal('location', new URL('https://shop.weft.test/'));
    await connection.open();
    const error = new DOMException('full', 'QuotaExceededError');
    vi.spyOn(connection.storage, 'write').mockRejectedValue(error);
    // Imported late: `remote/config.ts` reads `location` while it loads.
    const mutations = await import('../../src/account/mutations.ts');
    const answer = await mutations[request]('ada@weft.test');
    expect(answer).toMatchObject({ ok: false, failure: { code: 'storage' } });
  },
);
