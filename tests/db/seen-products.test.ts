/** What the device stores of the products of a shopper. */
import { expect, test } from 'vitest';
import { ANNA, END_OF_LOAD, productRow, rejectedRow, storePages } from './catalogue.ts';
import { loadTab, plugInDeviceBeforeEach, until } from './tab.ts';

plugInDeviceBeforeEach();

test('a rejected change keeps the name of its product, which leaves the shop later', async () => {
  const { connection, feedStores } = await loadTab();
  const { keepSeenProducts } = await import('../../src/db/seen-products.ts');
  await connection.open();
  const { db } = connection;
  await db.meta.put({ key: 'shopper', uid: ANNA, email: '', session: 'live' });
  await db.bases.put({ uid: ANNA, ver: 1, stamp: null, cart: [], favourites: [] });
  await db.rejected.put(rejectedRow(ANNA, 'a'));
  await storePages(db, 1, [[productRow(8), productRow(9)], END_OF_LOAD]);
  await feedStores();
  keepSeenProducts();
  let seen: readonly { title: string | null }[] = [];
  await until(async () => {
    seen = (await db.bases.get(ANNA))?.seen ?? [];
    return seen.length > 0;
  });
  expect(seen).toMatchObject([{ id: 9, title: 'Tee' }]);
  db.close();
});
