/**
 * A phone uses its stored build until it fetches a new one. The requests here have only the arguments
 * of the builds that did not know stamps yet.
 */
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

/** Calls a function of the database over REST, and returns its answer. */
async function call<T>(name: string, body: unknown, token = shop.backend.publishableKey) {
  const answer = await fetch(`${shop.url}/rest/v1/rpc/${name}`, {
    method: 'POST',
    headers: {
      apikey: shop.backend.publishableKey,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as T;
}

test('a phone with an older build pushes, pulls, and downloads nothing when nothing changed', async () => {
  const phone = { p_user: ada.id, p_device: PHONE };
  const change = {
    id: crypto.randomUUID(),
    kind: 'cart.set',
    args: { productId: coat, quantity: 3 },
    schema: 1,
    madeAt: '2026-11-21T12:00:00.000Z',
  };
  const pushed = await call<{ ver: number }>('push', { ...phone, p_changes: [change] }, ada.token);
  const firstPull = { ...phone, p_since: null, p_pending: [change.id] };
  const pulled = await call<Pulled>('pull', firstPull, ada.token);
  expect(pulled).toMatchObject({
    ...pushed,
    cart: [[coat, 3, PRICE]],
    favourites: [],
    acks: [change.id],
    rejected: [],
  });
  const laterPull = { ...phone, p_since: pulled.ver, p_pending: [] };
  expect(await call<Pulled>('pull', laterPull, ada.token)).toMatchObject({
    ver: pulled.ver,
    cart: null,
    favourites: null,
    acks: [],
  });
  expect(await call<Pulled>('pull', phone, ada.token)).toMatchObject({ cart: [[coat, 3, PRICE]] });
});

test('a phone with an older build follows the catalogue', async () => {
  const start = await call<Changes>('catalogue_changes', { p_since: null });
  expect(start).toMatchObject({ more: false, products: [], deleted: [] });
  await importRows(shop, [{ SKC: 'HAT' }]);
  const changes = await call<Changes>('catalogue_changes', { p_since: start.ver });
  expect(codesIn(changes)).toEqual(['HAT']);
  const none = await call<Changes>('catalogue_changes', { p_since: changes.ver });
  expect(none).toMatchObject({ ver: changes.ver, more: false, products: [], deleted: [] });
  const { data } = await clientOf(shop).rpc('catalogue_changes', {
    p_since: start.ver,
    p_limit: 1,
  });
  expect((data as Changes).ver).toBe(changes.ver);
});
