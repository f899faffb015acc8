/**
 * Phones after the shoppers' data was restored from a backup. The random stamp that is stored with a
 * version tells a phone that its own version was lost.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { backUp, restore } from './restore.ts';
import { openShopForFile } from './shop-for-file.ts';
import type { Pulled } from './shoppers.ts';
import { addFavourite, addShopper, addToCart as add, pull, push, sell } from './shoppers.ts';

/** A stamp that no version has: phones without a stamp send it. */
const NO_STAMP = '00000000-0000-0000-0000-000000000000';

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');
const PRICE = 129.5;
const { COAT: coat, HAT: hat } = await sell(shop, { COAT: PRICE, HAT: null });
beforeEach(() => shop.backend.query('truncate public.cart_items, public.favorites'));

/** Pulls as a phone does that has an earlier answer. */
const pullAfter = ({ ver, stamp }: Pulled) => pull(ada, ver, [], stamp ?? NO_STAMP);

describe('after the shop was restored from a backup', () => {
  test('a phone gets all rows, though changes have brought the version back to the phone’s', async () => {
    const lostChanges = 2;
    await push(ada, [add(coat)]);
    await backUp(shop.backend);
    for (let i = 0; i < lostChanges; i += 1) await push(ada, [add(coat)]);
    const phone = await pull(ada);
    await restore(shop.backend);
    for (let i = 0; i < lostChanges; i += 1) await push(ada, [addFavourite(i === 0 ? hat : coat)]);
    const after = await pullAfter(phone);
    expect(after.ver).toBe(phone.ver);
    expect(after.stamp).not.toBe(phone.stamp);
    expect(after.cart).toEqual([[coat, 1, PRICE]]);
    expect(after.favourites).toContain(hat);
    expect(await pullAfter(after)).toMatchObject({ cart: null, favourites: null });
  });

  test('a phone with exactly the version of the backup downloads no rows', async () => {
    await push(ada, [add(coat)]);
    const phone = await pull(ada);
    await backUp(shop.backend);
    await push(ada, [add(coat)]);
    await restore(shop.backend);
    expect(await pullAfter(phone)).toEqual({ ...phone, cart: null, favourites: null });
  });
});

describe('the stamp', () => {
  test('differs for each version, whichever client raised it', async () => {
    const pulled = [];
    for (const raise of [
      () => push(ada, [add(coat)]),
      () => push(ada, [add(coat), add(hat)]),
      () => ada.client.from('cart_items').delete().eq('product_id', hat).throwOnError(),
      () => shop.backend.query('update public.sync_user set ver = ver + 1'),
    ]) {
      await raise();
      pulled.push(await pull(ada));
    }
    expect(new Set(pulled.map(({ ver }) => ver)).size).toBe(pulled.length);
    expect(new Set(pulled.map(({ stamp }) => stamp)).size).toBe(pulled.length);
  });
});
