/** When the database forgets a change. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { openShopForFile } from './shop-for-file.ts';
import { addShopper, addToCart, ageChanges, PHONE_ID, pull, push, sell } from './shoppers.ts';

const shop = await openShopForFile();
const { query } = shop.backend;
const ada = await addShopper(shop, 'ada');
const { COAT: coat } = await sell(shop, { COAT: 129.5 });
beforeEach(() =>
  query('truncate public.cart_items, public.applied_changes, public.devices, public.sync_user'),
);

const release = ({ ver, stamp }: { readonly ver: number; readonly stamp: string | null }) =>
  ada.client
    .rpc('release', { p_user: ada.id, p_device: PHONE_ID, p_ver: ver, p_stamp: stamp })
    .throwOnError();
const quantity = async () => (await pull(ada)).cart?.[0]?.[1];
const remembered = async () => (await query('select 1 from public.applied_changes')).length;

test('a change that its phone may still hold is remembered for 400 days, and applied once though it comes again', async () => {
  const change = addToCart(coat);
  await push(ada, [change]);
  await ageChanges(shop, 399);
  await push(ada, [change]);
  expect(await quantity()).toBe(1);
  await ageChanges(shop, 2);
  expect(await remembered()).toBe(0);
});

test('a change that its phone has released is forgotten after 30 days, and not before', async () => {
  await push(ada, [addToCart(coat)]);
  await release(await pull(ada));
  await ageChanges(shop, 29);
  expect(await remembered()).toBe(1);
  await ageChanges(shop, 2);
  expect(await remembered()).toBe(0);
});

test('a release of a version that is not the newest, or of before a restore, releases nothing', async () => {
  await push(ada, [addToCart(coat)]);
  const pulled = await pull(ada);
  await release({ ...pulled, ver: pulled.ver - 1 });
  await release({ ...pulled, stamp: randomUUID() });
  await ageChanges(shop, 40);
  expect(await remembered()).toBe(1);
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
