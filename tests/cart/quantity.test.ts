/** Two phones that press + and − on the same line of a cart, with the real database. */
import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { quantityChange } from '../../src/cart/mutations.ts';
import { newAccount, newPhone, type Phone, productIds } from '../sync/phones.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';
import { numbered, stock } from '../supabase/stock.ts';

const shop = await openShopForFile();
await stock(shop.backend, numbered(3));
const [productId = 0] = await productIds(shop);

/** A press of + or −, as the cart makes it. */
const press = (phone: Phone, by: 1 | -1) =>
  phone.tap(({ cart }) => {
    const present = cart.find((line) => line.productId === productId)?.quantity ?? 0;
    return quantityChange(present, productId, by);
  });

/** Two phones of one shopper that both show this quantity. */
async function twoPhonesAt(quantity: number): Promise<[Phone, Phone]> {
  const account = await newAccount(shop);
  const [one, two] = [await newPhone(shop, account), await newPhone(shop, account)];
  await one.tap([{ kind: 'cart.set', args: { productId, quantity } }]);
  await one.save();
  await two.save();
  return [one, two];
}

/** The quantities that the phones show once all are saved. */
async function afterSaving(...phones: Phone[]): Promise<number[]> {
  for (const phone of phones) expect(await phone.save()).toBe('saved');
  const quantities = [];
  for (const phone of phones) {
    await phone.save(); // pulls what the phones after it have saved
    quantities.push((await phone.shown()).lines[0]?.[1] ?? 0);
  }
  return quantities;
}

test.each([
  ['5 and both press + make 7', 5, 1, 7],
  ['5 and both press − make 3', 5, -1, 3],
  ['2 and both press − make 1, and nothing is rejected', 2, -1, 1],
] as const)('two phones that show %s', async (_case, quantity, by, sum) => {
  const [one, two] = await twoPhonesAt(quantity);
  await press(one, by);
  await press(two, by);
  expect(await afterSaving(one, two)).toEqual([sum, sum]);
  expect(await two.db.rejected.count()).toBe(0);
});

test('− on a line that another phone has removed makes no line', async () => {
  const [one, two] = await twoPhonesAt(5);
  await one.tap([{ kind: 'cart.remove', args: { productId } }]);
  await press(two, -1);
  expect(await afterSaving(one, two)).toEqual([0, 0]);
  expect(await two.db.rejected.count()).toBe(0);
});

test('from more than can be ordered, one press of − leads to 99; + stops at 99, and − at 1', () => {
  const MAX = 99;
  expect(quantityChange(150, productId, -1)).toEqual([
    { kind: 'cart.reduce', args: { productId, by: 150 - MAX } },
  ]);
  expect(quantityChange(MAX - 1, productId, 1)).toHaveLength(1);
  for (const present of [0, MAX, 150]) expect(quantityChange(present, productId, 1)).toEqual([]);
  for (const present of [0, 1]) expect(quantityChange(present, productId, -1)).toEqual([]);
});
