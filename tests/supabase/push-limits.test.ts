import { beforeEach, describe, expect, test } from 'vitest';
import type { Change } from '../../src/domain/change.ts';
import { openShopForFile } from './shop-for-file.ts';
import { addShopper, changeOf, pull, push, sell } from './shoppers.ts';

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');
const { COAT: coat } = await sell(shop, { COAT: 129.5 });
beforeEach(() =>
  shop.backend.query(
    'truncate public.cart_items, public.favorites, public.applied_changes, public.push_counts',
  ),
);

const add = () => changeOf({ kind: 'cart.add', args: { productId: coat, by: 1 } });
const like = () => changeOf({ kind: 'favourite.add', args: { productId: coat } });
const ids = (changes: readonly Change[]) => changes.map(({ id }) => id);
const recorded = () =>
  shop.backend.query(
    'select change_id, kind, args, outcome from public.applied_changes order by ver',
  );

describe('a change that the database does not know yet', () => {
  test('it waits with all changes behind it, and they are applied in order once the database knows it', async () => {
    const [row] = await shop.backend.query(
      `select pg_get_functiondef('public.change_args(text)'::regprocedure) as text`,
    );
    const definition = String(row?.['text']);
    await shop.backend.query(definition.replaceAll("'favourite.add'", "'favourite.later'"));
    const changes = [add(), like(), add()];
    const { data, error } = await push(ada, changes);
    expect(error).toBeNull();
    const before = await pull(ada, null, ids(changes));
    expect(before).toMatchObject({ ...(data as { ver: number }), acks: ids(changes.slice(0, 1)) });
    expect([before.cart, before.favourites, before.rejected]).toEqual([[[coat, 1, 129.5]], [], []]);
    // It is sent again and again meanwhile.
    expect((await push(ada, changes.slice(1))).data).toEqual(data);
    expect(await recorded()).toHaveLength(1);

    await shop.backend.query(definition);
    await push(ada, changes.slice(1));
    const after = await pull(ada, null, ids(changes));
    expect(after).toMatchObject({ acks: ids(changes), rejected: [], favourites: [coat] });
    expect(after.cart).toEqual([[coat, 2, 129.5]]);
  });

  test.each([
    ['of a newer kind', { kind: 'cart.gift' }],
    ['of a newer schema', { schema: 2 }],
    ['of a newer kind with more to say', { kind: 'cart.gift', args: { note: 'x'.repeat(600) } }],
  ])('%s is neither recorded nor rejected, nor is what stands behind it', async (_what, newer) => {
    const changes = [add(), { ...add(), ...newer }, add()];
    await push(ada, changes);
    expect(await pull(ada, null, ids(changes as Change[]))).toMatchObject({
      cart: [[coat, 1, 129.5]],
      acks: [changes[0]?.id],
      rejected: [],
    });
    expect(await recorded()).toHaveLength(1);
  });
});

describe('what is kept of a change', () => {
  test('is what its kind needs, whatever else stands in it', async () => {
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

  test('is nothing but its kind when it is rejected, and not even that when it is no kind', async () => {
    const bad = [
      { ...add(), args: { productId: 0, by: 1 } },
      { ...add(), kind: { long: 'x'.repeat(100) } },
      { ...add(), kind: undefined },
    ];
    await push(ada, bad);
    expect(await recorded()).toMatchObject(
      ['cart.add', '', ''].map((kind) => ({ kind, args: null, outcome: 'rejected' })),
    );
    await expect(
      shop.backend.query(`update public.applied_changes set args = '{}'`),
    ).rejects.toThrow('applied_changes_args_of_applied');
  });

  test('is at most 500 bytes: a longer one is rejected', async () => {
    const sized = async (bytes: number) => {
      const change = { ...add(), note: '' };
      const [row] = await shop.backend.query('select octet_length($1::jsonb::text) as bytes', [
        JSON.stringify(change),
      ]);
      return { ...change, note: 'x'.repeat(bytes - Number(row?.['bytes'])) };
    };
    await push(ada, [await sized(500), await sized(501)]);
    expect(await recorded()).toMatchObject([{ outcome: 'applied' }, { outcome: 'rejected' }]);
    expect((await pull(ada)).cart).toEqual([[coat, 1, 129.5]]);
  });
});

describe('a line is reduced', () => {
  const reduce = (by: number, productId = coat) =>
    changeOf({ kind: 'cart.reduce', args: { productId, by } });

  test.each([
    ['by the difference', 5, [1, 1], 3],
    ['to 1 and no further', 5, [3, 3], 1],
    ['not at all when it is 1', 1, [1], 1],
  ])('%s', async (_what, quantity, bys, left) => {
    const set = changeOf({ kind: 'cart.set', args: { productId: coat, quantity } });
    const changes = [set, ...bys.map((by) => reduce(by))];
    await push(ada, changes);
    const pulled = await pull(ada, null, ids(changes));
    expect(pulled).toMatchObject({ cart: [[coat, left, 129.5]], acks: ids(changes), rejected: [] });
  });

  test('without a rejection and without a new line where there is no line or no such product', async () => {
    const changes = [reduce(1), reduce(1, 0)];
    await push(ada, changes);
    const pulled = await pull(ada, null, ids(changes));
    expect(pulled).toMatchObject({ cart: [], acks: ids(changes), rejected: [] });
  });

  test('although its product has left meanwhile', async () => {
    const { HAT: hat } = await sell(shop, { HAT: 20 });
    await push(ada, [changeOf({ kind: 'cart.set', args: { productId: hat, quantity: 3 } })]);
    await shop.backend.query('delete from public.products where id = $1', [hat]);
    const change = reduce(1, hat);
    await push(ada, [change]);
    const pulled = await pull(ada, null, [change.id]);
    expect(pulled).toMatchObject({ cart: [[hat, 2, 20]], acks: [change.id], rejected: [] });
  });
});

describe('one shopper hands in at most 600 changes a minute and 20,000 a day', () => {
  /** As if so many had come during the minute and the day that begin now. */
  const handedIn = (minute: number, day: number) =>
    shop.backend.query('insert into public.push_counts values ($1, now(), $2, now(), $3)', [
      ada.id,
      minute,
      day,
    ]);

  test.each([
    ['a minute', 599, 599],
    ['a day', 0, 19_999],
  ])('of %s: a batch beyond it does nothing and may be sent again', async (_what, minute, day) => {
    await handedIn(minute, day);
    const changes = [add(), add()];
    const before = await pull(ada, null, ids(changes));
    expect((await push(ada, changes)).error?.code).toBe('PT429');
    expect(await pull(ada, null, ids(changes))).toEqual(before);
    expect((await push(ada, changes.slice(0, 1))).error).toBeNull();
    expect((await push(ada, changes)).error?.code).toBe('PT429');
    expect((await pull(ada)).cart).toEqual([[coat, 1, 129.5]]);
    // What is recorded already, or waits, counts for nothing.
    const later = { ...add(), schema: 2 };
    expect((await push(ada, [...changes.slice(0, 1), later])).error).toBeNull();
    await shop.backend.query(
      `update public.push_counts set minute_began = minute_began - interval '1 day', day_began = day_began - interval '1 day'`,
    );
    expect((await push(ada, changes)).error).toBeNull();
    expect((await pull(ada)).cart).toEqual([[coat, 2, 129.5]]);
  });

  test('rows that a client writes itself count too, a deletion does not, and one beyond it writes nothing', async () => {
    await handedIn(597, 597);
    const own = ada.client.from('cart_items');
    const row = { user_id: ada.id, product_id: coat, quantity: 1 };
    expect((await own.insert(row)).error).toBeNull();
    expect((await own.update({ quantity: 2 }).eq('product_id', coat)).error).toBeNull();
    const favourite = { user_id: ada.id, product_id: coat };
    expect((await ada.client.from('favorites').insert(favourite)).error).toBeNull();
    const { error, status } = await own.update({ quantity: 3 }).eq('product_id', coat);
    expect([status, error?.code]).toEqual([429, 'PT429']);
    expect((await pull(ada)).cart).toEqual([[coat, 2, 129.5]]);
    expect((await push(ada, [add()])).error?.code).toBe('PT429');
    expect((await own.delete().eq('product_id', coat)).error).toBeNull();
    expect((await pull(ada)).cart).toEqual([]);
  });

  test('rejected ones count, and other shoppers’ do not', async () => {
    const eve = await addShopper(shop, 'eve');
    await handedIn(600, 600);
    expect((await push(eve, [add()])).error).toBeNull();
    await push(eve, [{ ...add(), args: {} }]);
    expect(
      await shop.backend.query('select * from public.push_counts where user_id = $1', [eve.id]),
    ).toMatchObject([{ minute_count: 2, day_count: 2 }]);
  });

  test('each minute and each day anew, also after a clock was put back', async () => {
    const at = async (time: string, count: number) => {
      await shop.backend.query('select public.count_changes($1, $2, $3)', [ada.id, count, time]);
      const [row] = await shop.backend.query('select public.changes_left($1, $2) as left', [
        ada.id,
        time,
      ]);
      return row?.['left'];
    };
    expect(await at('2026-01-01T12:00:00Z', 50)).toBe(550);
    expect(await at('2026-01-01T12:00:59Z', 500)).toBe(50);
    expect(await at('2026-01-01T12:01:00Z', 100)).toBe(500);
    expect(await at('2026-01-01T12:30:00Z', 19_200)).toBe(-18_600);
    expect(await at('2026-01-01T12:40:00Z', 50)).toBe(100);
    expect(await at('2026-01-02T11:59:59Z', 50)).toBe(50);
    expect(await at('2026-01-02T12:00:00Z', 0)).toBe(550);
    expect(await at('2026-01-02T12:01:00Z', 10)).toBe(590);
    expect(await at('2026-01-01T06:00:00Z', 10)).toBe(590);
  });
});
