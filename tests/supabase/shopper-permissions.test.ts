/** Row-level security of the tables that a shopper may read or write; permissions.test.ts has the rights. */
import { expect, test } from 'vitest';
import { clientOf } from './shop.ts';
import { openShopForFile } from './shop-for-file.ts';
import { addFavourite, addShopper, addToCart, push, sell } from './shoppers.ts';
import { SQLSTATE } from './sqlstate.ts';

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');
const eve = await addShopper(shop, 'eve');
const { COAT: coat, HAT: hat } = await sell(shop, { COAT: 129.5, HAT: null });
await push(ada, [addToCart(coat, 2), addFavourite(coat)]);

const rowsOf = (table: string) =>
  shop.backend.query(`select * from public.${table} order by user_id`);

test.each([
  ['cart_items', 1],
  ['favorites', 1],
  ['sync_user', 1],
  ['applied_changes', 2],
])('a shopper reads their rows of %s, and another shopper none of them', async (table, count) => {
  const rows = await rowsOf(table);
  expect(rows).toHaveLength(count);
  expect((await ada.client.from(table).select()).data).toEqual(rows);
  expect((await eve.client.from(table).select()).data).toEqual([]);
});

test.each([
  ['cart_items', { user_id: ada.id, product_id: hat, quantity: 1 }, { quantity: 9 }],
  ['favorites', { user_id: ada.id, product_id: hat }, { product_id: 1 }],
])('another shopper cannot write into %s of a shopper', async (table, row, fields) => {
  const before = await rowsOf(table);
  const rows = eve.client.from(table);
  expect((await rows.insert(row)).error?.code).toBe(SQLSTATE.insufficientPrivilege);
  expect((await rows.upsert(row)).error?.code).toBe(SQLSTATE.insufficientPrivilege);
  expect((await rows.update(fields, { count: 'exact' }).eq('user_id', ada.id)).count).toBe(0);
  expect((await rows.delete({ count: 'exact' }).eq('user_id', ada.id)).count).toBe(0);
  expect(await rowsOf(table)).toEqual(before);
});

test.each(['cart_items', 'favorites'])(
  'neither a shopper nor the server can give a row of %s to another shopper',
  async (table) => {
    for (const client of [ada.client, clientOf(shop, shop.backend.secretKey)]) {
      const rows = client.from(table);
      const { error } = await rows.update({ user_id: eve.id }).eq('user_id', ada.id);
      expect(error?.code).toBe(SQLSTATE.restrictViolation);
    }
  },
);
