/** What `push` records of a change, reductions without a line or product, and the limit on the number of changes. */
import { beforeEach, describe, expect, test } from 'vitest';
import { openShopForFile } from './shop-for-file.ts';
import { addShopper, addToCart, changeOf, idsOf, pull, push, sell } from './shoppers.ts';
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
/** The changes that the server has recorded, in their order. */
const recorded = () =>
  shop.backend.query(
    'select change_id, kind, args, outcome from public.applied_changes order by ver',
  );

describe('what the server records of a change', () => {
  test('is what its kind needs, even if the change has other fields', async () => {
    const more = { productId: coat, by: 1, quantity: 4, note: 'x'.repeat(100) };
    const changes = [
      { ...add(), args: more, note: 'y' },
      { ...add(), kind: 'cart.reduce', args: more },
      { ...add(), kind: 'cart.clear', args: { note: 'x'.repeat(100) } },
      { ...add(), kind: 'cart.clear', args: 'x'.repeat(100) },
    ];
    await push(ada, changes);
    expect((await recorded()).map(({ args }) => args)).toEqual([
      { productId: coat, by: 1 },
      { productId: coat, by: 1 },
      {},
      {},
    ]);
  });

  test('is only its kind when it is rejected, and nothing when its kind is not a text', async () => {
    const malformed = [
      { ...add(), args: { productId: 0, by: 1 } },
      { ...add(), kind: { long: 'x'.repeat(100) } },
      { ...add(), kind: undefined },
    ];
    await push(ada, malformed);
    expect(await recorded()).toMatchObject(
      ['cart.add', '', ''].map((kind) => ({ kind, args: null, outcome: 'rejected' })),
    );
    // The table itself takes no arguments of a rejected change.
    await expect(
      shop.backend.query(`update public.applied_changes set args = '{}'`),
    ).rejects.toThrow('applied_changes_args_of_applied');
  });
});

describe('a change that takes one piece off a line', () => {
  const NO_PRODUCT = 0;
  const reduce = (productId: number) =>
    changeOf({ kind: 'cart.reduce', args: { productId, by: 1 } });

  test('has no effect and is not rejected when there is no such line or product', async () => {
    const changes = [reduce(coat), reduce(NO_PRODUCT)];
    await push(ada, changes);
    const pulled = await pull(ada, null, idsOf(changes));
    expect(pulled).toMatchObject({ cart: [], acks: idsOf(changes), rejected: [] });
  });

  test('is applied although the product has left the shop meanwhile', async () => {
    const { HAT: hat } = await sell(shop, { HAT: 20 });
    await push(ada, [changeOf({ kind: 'cart.set', args: { productId: hat, quantity: 3 } })]);
    await shop.backend.query('delete from public.products where id = $1', [hat]);
    const change = reduce(hat);
    await push(ada, [change]);
    const pulled = await pull(ada, null, [change.id]);
    expect(pulled).toMatchObject({ cart: [[hat, 2, 20]], acks: [change.id], rejected: [] });
  });
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
