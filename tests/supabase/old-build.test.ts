import { expect, test } from 'vitest';
import type { Changes } from './changes.ts';
import { importRows, skcs } from './changes.ts';
import { clientOf } from './shop.ts';
import { openShopForFile } from './shop-for-file.ts';
import type { Pulled } from './shoppers.ts';
import { addShopper, PHONE, sell } from './shoppers.ts';

/**
 * A phone goes on with the build that it has until it fetches another one. Each request here has
 * the arguments that builds before stamps send, and no others.
 */

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');
const { COAT: coat } = await sell(shop, { COAT: 129.5 });

async function call<T>(path: string, body: unknown, token = shop.backend.publishableKey) {
  const answer = await fetch(`${shop.url}/rest/v1/rpc/${path}`, {
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

test('a phone of the build before pushes, pulls, and downloads nothing when nothing changed', async () => {
  const who = { p_user: ada.id, p_device: PHONE };
  const change = {
    id: crypto.randomUUID(),
    kind: 'cart.set',
    args: { productId: coat, quantity: 3 },
    schema: 1,
    madeAt: '2026-11-21T12:00:00.000Z',
  };
  const pushed = await call<{ ver: number }>('push', { ...who, p_changes: [change] }, ada.token);
  const asked = { ...who, p_since: null, p_pending: [change.id] };
  const pulled = await call<Pulled>('pull', asked, ada.token);
  expect(pulled).toMatchObject({
    ...pushed,
    cart: [[coat, 3, 129.5]],
    favourites: [],
    acks: [change.id],
    rejected: [],
  });
  const again = { ...who, p_since: pulled.ver, p_pending: [] };
  expect(await call<Pulled>('pull', again, ada.token)).toMatchObject({
    ver: pulled.ver,
    cart: null,
    favourites: null,
    acks: [],
  });
  expect(await call<Pulled>('pull', who, ada.token)).toMatchObject({ cart: [[coat, 3, 129.5]] });
});

test('a phone of the build before follows the catalogue', async () => {
  const start = await call<Changes>('catalogue_changes', { p_since: null });
  expect(start).toMatchObject({ more: false, products: [], deleted: [] });
  await importRows(shop, [{ SKC: 'HAT' }]);
  const changes = await call<Changes>('catalogue_changes', { p_since: start.ver });
  expect(skcs(changes)).toEqual(['HAT']);
  const none = await call<Changes>('catalogue_changes', { p_since: changes.ver });
  expect(none).toMatchObject({ ver: changes.ver, more: false, products: [], deleted: [] });
  const { data } = await clientOf(shop).rpc('catalogue_changes', {
    p_since: start.ver,
    p_limit: 1,
  });
  expect((data as Changes).ver).toBe(changes.ver);
});
