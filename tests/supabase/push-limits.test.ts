/** What `push` records of a change, and the limit on the number of changes. */
import { beforeEach, describe, expect, test } from 'vitest';
import { openShopForFile } from './shop-for-file.ts';
import { addShopper, addToCart, idsOf, pull, push, sell } from './shoppers.ts';
import { SQLSTATE } from './sqlstate.ts';

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');
const PRICE = 129.5;
const PER_MINUTE = 600;
const PER_DAY = 20_000;
const { COAT: coat } = await sell(shop, { COAT: PRICE });
beforeEach(() =>
  shop.backend.query(
    'truncate public.cart_items, public.favorites, public.applied_changes, public.push_counts',
  ),
);

const add = () => addToCart(coat);

test('the server records of a change what its kind needs, and of a rejected one nothing but its kind', async () => {
  const more = { productId: coat, by: 1, quantity: 4, note: 'x'.repeat(100) };
  await push(ada, [
    { ...add(), args: more, note: 'y' },
    { ...add(), args: { productId: 0, by: 1 } },
    { ...add(), kind: { long: 'x'.repeat(100) } },
  ]);
  const recorded = 'select kind, args, outcome from public.applied_changes order by ver';
  expect(await shop.backend.query(recorded)).toEqual([
    { kind: 'cart.add', args: { productId: coat, by: 1 }, outcome: 'applied' },
    { kind: 'cart.add', args: null, outcome: 'rejected' },
    { kind: '', args: null, outcome: 'rejected' },
  ]);
});

describe('the limit of 600 changes a minute and 20,000 a day for one shopper', () => {
  /** Sets how many changes the shopper has pushed in the minute and the day that begin now. */
  const setPushed = (minute: number, day: number) => {
    const sql = `insert into public.push_counts
      (user_id, minute_began, minute_count, day_began, day_count) values ($1, now(), $2, now(), $3)`;
    return shop.backend.query(sql, [ada.id, minute, day]);
  };

  test.each([
    ['a minute', PER_MINUTE - 1, PER_MINUTE - 1],
    ['a day', 0, PER_DAY - 1],
  ])('of %s rejects a batch beyond it, which may be sent again', async (_, minute, day) => {
    await setPushed(minute, day);
    const changes = [add(), add()];
    const before = await pull(ada, null, idsOf(changes));
    expect((await push(ada, changes)).error?.code).toBe(SQLSTATE.tooManyRequests);
    expect(await pull(ada, null, idsOf(changes))).toEqual(before);
    expect((await push(ada, changes.slice(0, 1))).error).toBeNull();
    expect((await push(ada, changes)).error?.code).toBe(SQLSTATE.tooManyRequests);
    expect((await pull(ada)).cart).toEqual([[coat, 1, PRICE]]);
    // Changes that are applied already do not count.
    expect((await push(ada, changes.slice(0, 1))).error).toBeNull();
    await shop.backend.query(
      `update public.push_counts set minute_began = minute_began - interval '1 day', day_began = day_began - interval '1 day'`,
    );
    expect((await push(ada, changes)).error).toBeNull();
    expect((await pull(ada)).cart).toEqual([[coat, 2, PRICE]]);
  });

  test('counts rows that a client writes itself but no deletion, and a row beyond the limit is not written', async () => {
    await setPushed(PER_MINUTE - 3, PER_MINUTE - 3);
    const cartRows = ada.client.from('cart_items');
    const row = { user_id: ada.id, product_id: coat, quantity: 1 };
    expect((await cartRows.insert(row)).error).toBeNull();
    expect((await cartRows.update({ quantity: 2 }).eq('product_id', coat)).error).toBeNull();
    const favourite = { user_id: ada.id, product_id: coat };
    expect((await ada.client.from('favorites').insert(favourite)).error).toBeNull();
    const { error, status } = await cartRows.update({ quantity: 3 }).eq('product_id', coat);
    expect([status, error?.code]).toEqual([429, SQLSTATE.tooManyRequests]);
    expect((await pull(ada)).cart).toEqual([[coat, 2, PRICE]]);
    expect((await push(ada, [add()])).error?.code).toBe(SQLSTATE.tooManyRequests);
    expect((await cartRows.delete().eq('product_id', coat)).error).toBeNull();
    expect((await pull(ada)).cart).toEqual([]);
  });
});
