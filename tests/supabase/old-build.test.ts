/**
 * A phone uses its stored build until it fetches a new one. The requests here have only the arguments
 * of the builds that did not know stamps yet.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import type { Changes } from './changes.ts';
import { importRows, codesIn } from './changes.ts';
import { clientOf } from './shop.ts';
import { openShopForFile } from './shop-for-file.ts';
import type { Pulled } from './shoppers.ts';
import { addShopper, PHONE, sell } from './shoppers.ts';

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');
const PRICE = 129.5;
const { COAT: coat } = await sell(shop, { COAT: PRICE });

/** Calls a function of the database, and returns its answer. */
async function call<T>(client: SupabaseClient, name: string, args: object) {
  return (await client.rpc(name, args).throwOnError()).data as T;
}

test('a phone with an older build pushes, pulls, and downloads nothing when nothing changed', async () => {
  const phone = { p_user: ada.id, p_device: PHONE };
  const pullWith = (args: object) => call<Pulled>(ada.client, 'pull', { ...phone, ...args });
  const change = {
    id: crypto.randomUUID(),
    kind: 'cart.set',
    args: { productId: coat, quantity: 3 },
    schema: 1,
    madeAt: '2026-11-21T12:00:00.000Z',
  };
  const pushed = { ...phone, p_changes: [change] };
  const { ver } = await call<Pick<Pulled, 'ver'>>(ada.client, 'push', pushed);
  const shown = { cart: [[coat, 3, PRICE]], favourites: [] };
  const pulled = await pullWith({ p_since: null, p_pending: [change.id] });
  expect(pulled).toMatchObject({ ver, ...shown, acks: [change.id], rejected: [] });
  const nothing = { ver, cart: null, favourites: null, acks: [] };
  expect(await pullWith({ p_since: ver, p_pending: [] })).toMatchObject(nothing);
  expect(await pullWith({}), 'all rows').toMatchObject(shown);
});

test('a phone with an older build follows the catalogue', async () => {
  const changesSince = (args: object) => call<Changes>(clientOf(shop), 'catalogue_changes', args);
  const start = await changesSince({ p_since: null });
  expect(start).toMatchObject({ more: false, products: [], deleted: [] });
  await importRows(shop, [{ SKC: 'HAT' }]);
  const changes = await changesSince({ p_since: start.ver });
  expect(codesIn(changes)).toEqual(['HAT']);
  const { ver } = changes;
  const nothing = { ver, more: false, products: [], deleted: [] };
  expect(await changesSince({ p_since: ver })).toMatchObject(nothing);
  expect((await changesSince({ p_since: start.ver, p_limit: 1 })).ver).toBe(ver);
});
