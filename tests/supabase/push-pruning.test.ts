/** When the database forgets a change, and what it does with one that comes again after that. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { openShopForFile } from './shop-for-file.ts';
import { addShopper, addToCart, ageChanges, PHONE_ID, pull, push, sell } from './shoppers.ts';

const shop = await openShopForFile();
const { query } = shop.backend;
const ada = await addShopper(shop, 'ada');
const { COAT: coat } = await sell(shop, { COAT: 129.5 });
beforeEach(() =>
  query('truncate public.cart_items, public.applied_changes, public.devices, public.sync_user'),
);

/** A change that a phone makes on what it has pulled. */
const changeOn = ({ ver }: { readonly ver: number }) => ({ ...addToCart(coat), baseVer: ver });
const release = ({ ver, stamp }: { readonly ver: number; readonly stamp: string | null }) =>
  ada.client
    .rpc('release', { p_user: ada.id, p_device: PHONE_ID, p_ver: ver, p_stamp: stamp })
    .throwOnError();
const quantity = async () => (await pull(ada)).cart?.[0]?.[1];
const remembered = async () => (await query('select 1 from public.applied_changes')).length;

describe('a change that its phone may still hold', () => {
  test('is remembered for 400 days, and applied once though it comes again', async () => {
    const change = addToCart(coat);
    await push(ada, [change]);
    await ageChanges(shop, 399);
    await push(ada, [change]);
    expect(await quantity()).toBe(1);
    await ageChanges(shop, 2);
    expect(await remembered()).toBe(0);
  });
});

describe('a change that its phone has released', () => {
  test('is forgotten after 30 days, and not before', async () => {
    await push(ada, [addToCart(coat)]);
    await release(await pull(ada));
    await ageChanges(shop, 29);
    expect(await remembered()).toBe(1);
    await ageChanges(shop, 2);
    expect(await remembered()).toBe(0);
  });

  test('is rejected when storage that was set back brings it again', async () => {
    const base = await pull(ada);
    const change = changeOn(base);
    await push(ada, [change]);
    await release(await pull(ada));
    await ageChanges(shop, 31);
    await push(ada, [change]);
    expect(await quantity()).toBe(1);
    const [rejected] = (await pull(ada, null, [change.id])).rejected;
    expect(rejected?.message).toBe(
      'We may have saved it over a month ago. If it’s missing, try again.',
    );
    expect((await pull(ada, null, [change.id])).acks).toEqual([change.id]);
  });
});

describe('a release', () => {
  test.each([
    [
      'of a version that is not the newest',
      (ver: number) => ver - 1,
      (stamp: string | null) => stamp,
    ],
    ['of a version of before the database was set back', (ver: number) => ver, () => randomUUID()],
  ])('%s releases nothing', async (_case, verOf, stampOf) => {
    await push(ada, [addToCart(coat)]);
    const { ver, stamp } = await pull(ada);
    await release({ ver: verOf(ver), stamp: stampOf(stamp) });
    await ageChanges(shop, 40);
    expect(await remembered()).toBe(1);
  });
});

test('a phone that sends nothing for 400 days after its last change was forgotten is forgotten, too', async () => {
  await push(ada, [addToCart(coat)]);
  await release(await pull(ada));
  await ageChanges(shop, 31);
  await ageChanges(shop, 399);
  expect(await query('select 1 from public.devices')).toHaveLength(1);
  await ageChanges(shop, 2);
  expect(await query('select 1 from public.devices')).toEqual([]);
});
