/**
 * A supabase-js client reads and writes the rows of its shopper's cart and favourites without `push`, as whoever has
 * the public key and an account may. `pull` shows what the shopper's phones then receive.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { openShopForFile } from './shop-for-file.ts';
import { addShopper, pull, sell } from './shoppers.ts';
import { SQLSTATE } from './sqlstate.ts';

const PRICE = 129.5;
let coat: number;
let hat: number;

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');
beforeEach(async () => {
  await shop.backend.query('truncate public.products, public.cart_items, public.favorites');
  ({ COAT: coat, HAT: hat } = await sell(shop, { COAT: PRICE, HAT: null }));
});

const cart = () => ada.client.from('cart_items');
const favourites = () => ada.client.from('favorites');
const line = (productId: number, quantity = 1) => ({
  user_id: ada.id,
  product_id: productId,
  quantity,
});
const removeProduct = (id: number) =>
  shop.backend.query('delete from public.products where id = $1', [id]);
const setPrice = (price: number) =>
  shop.backend.query('update public.products set "Retail Price" = $1 where id = $2', [price, coat]);

describe('the cart', () => {
  test('is read with the joined product', async () => {
    await cart().insert([line(coat, 2), line(hat)]);
    const { data } = await cart().select('*, products(*)').eq('user_id', ada.id).order('id');
    expect(data).toEqual([
      expect.objectContaining({
        quantity: 2,
        price_when_added: PRICE,
        products: expect.objectContaining({
          id: coat,
          SKC: 'COAT',
          'Retail Price': PRICE,
        }) as object,
      }),
      expect.objectContaining({
        price_when_added: null,
        products: expect.objectContaining({ id: hat, SKC: 'HAT' }) as object,
      }),
    ]);
  });

  test('accepts a new line, another quantity, and the removal of one line and of all', async () => {
    const { data } = await cart()
      .insert([line(coat), line(hat)])
      .select('id')
      .throwOnError();
    const [first] = data;
    await cart().update({ quantity: 3 }).eq('id', first?.id).throwOnError();
    expect((await pull(ada)).cart).toEqual([
      [coat, 3, PRICE],
      [hat, 1, null],
    ]);
    await cart().delete().eq('id', first?.id).throwOnError();
    expect((await pull(ada)).cart).toEqual([[hat, 1, null]]);
    await cart().delete().eq('user_id', ada.id).throwOnError();
    expect((await pull(ada)).cart).toEqual([]);
  });

  test.each([
    ['a second line for the same product', () => line(coat), SQLSTATE.uniqueViolation],
    ['a quantity of 0', () => line(hat, 0), SQLSTATE.checkViolation],
    ['a quantity of more than 999', () => line(hat, 1000), SQLSTATE.checkViolation],
    ['a product that does not exist', () => line(0), SQLSTATE.foreignKeyViolation],
  ])('rejects %s', async (_case, row, code) => {
    await cart().insert(line(coat)).throwOnError();
    const { ver } = await pull(ada);
    expect((await cart().insert(row())).error?.code).toBe(code);
    expect(await pull(ada)).toMatchObject({ ver, cart: [[coat, 1, PRICE]] });
  });

  test('stores the shop’s price when more is added, even if the client sends another', async () => {
    await cart()
      .insert({ ...line(coat, 2), price_when_added: 1 })
      .throwOnError();
    const storedPrice = async () => (await pull(ada)).cart?.[0]?.[2];
    expect(await storedPrice()).toBe(PRICE);
    const newPrice = 150;
    await setPrice(newPrice);
    await cart().update({ quantity: 1, price_when_added: 1 }).eq('product_id', coat);
    expect(await storedPrice()).toBe(PRICE);
    await cart().update({ quantity: 2 }).eq('product_id', coat);
    expect(await storedPrice()).toBe(newPrice);
  });

  test('keeps a line whose product has left the shop, which can be removed or reduced, but not raised', async () => {
    await cart().insert(line(coat, 2)).throwOnError();
    await removeProduct(coat);
    const { data } = await cart().select('quantity, products(*)');
    expect(data).toEqual([{ quantity: 2, products: null }]);
    const { error } = await cart().update({ quantity: 3 }).eq('product_id', coat);
    expect(error?.code).toBe(SQLSTATE.foreignKeyViolation);
    await cart().update({ quantity: 1 }).eq('product_id', coat).throwOnError();
    expect((await pull(ada)).cart).toEqual([[coat, 1, PRICE]]);
    await cart().delete().eq('product_id', coat).throwOnError();
    expect((await pull(ada)).cart).toEqual([]);
  });
});

test('favourites are read, marked and unmarked; a product that does not exist is rejected', async () => {
  await favourites().insert({ user_id: ada.id, product_id: coat }).throwOnError();
  const { data } = await favourites().select('product_id').eq('user_id', ada.id);
  expect(data).toEqual([{ product_id: coat }]);
  const missing = await favourites().insert({ user_id: ada.id, product_id: 0 });
  expect(missing.error?.code).toBe(SQLSTATE.foreignKeyViolation);
  await favourites().delete().eq('user_id', ada.id).eq('product_id', coat).throwOnError();
  expect((await pull(ada)).favourites).toEqual([]);
});

test('the version of a shopper rises with every change of their rows, and with no other', async () => {
  const eve = await addShopper(shop, 'eve');
  expect((await pull(eve)).ver).toBe(0);
  const steps = [
    () => cart().insert([line(coat), line(hat)]),
    () => cart().update({ quantity: 2 }).eq('product_id', coat),
    () => favourites().insert({ user_id: ada.id, product_id: coat }),
    () => favourites().delete().eq('user_id', ada.id),
    () => cart().delete().eq('user_id', ada.id),
  ];
  for (const step of steps) {
    const { ver } = await pull(ada);
    await step().throwOnError();
    expect((await pull(ada)).ver).toBeGreaterThan(ver);
  }
  const { ver } = await pull(ada);
  await cart().delete().eq('user_id', ada.id).throwOnError();
  expect((await pull(ada)).ver).toBe(ver);
  expect((await pull(eve)).ver).toBe(0);
});
