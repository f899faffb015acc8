/** Which tokens may push and pull, and which rows a pull answers. */
import { expect, test } from 'vitest';
import { openShopForFile } from './shop-for-file.ts';
import {
  addShopper,
  addToCart,
  clearCart,
  clientWith,
  PHONE_ID,
  pull,
  push,
  sell,
} from './shoppers.ts';
import { SQLSTATE } from './sqlstate.ts';

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');
const eve = await addShopper(shop, 'eve');
const { COAT: coat } = await sell(shop, { COAT: 129.5 });

test.each([
  ['another shopper’s token', eve.client, ada.id, 403],
  ['no token', clientWith(shop, null), ada.id, 401],
  ['no shopper', ada.client, null, 403],
])('a request with %s can neither push nor pull', async (_, client, user, status) => {
  const before = await pull(ada);
  const shopper = { p_user: user, p_device: PHONE_ID };
  const answers = [
    await client.rpc('push', { ...shopper, p_changes: [addToCart(coat)] }),
    await client.rpc('pull', { ...shopper, p_since: null, p_pending: [] }),
  ];
  for (const answer of answers) {
    expect([answer.error?.code, answer.status]).toEqual([SQLSTATE.insufficientPrivilege, status]);
  }
  expect(await pull(ada)).toEqual(before);
});

test('a phone whose account is gone is told so', async () => {
  const bob = await addShopper(shop, 'bob');
  await shop.backend.query('delete from auth.users where id = $1', [bob.id]);
  const { error, status } = await push(bob, [clearCart()]);
  expect([error?.code, status]).toEqual(['PT410', 410]);
});

test('a phone gets all rows, unless it has the newest version with the stamp of that version', async () => {
  await push(ada, [addToCart(coat)]);
  const { stamp: earlierStamp } = await pull(ada);
  await push(ada, [addToCart(coat)]);
  const { ver, stamp } = await pull(ada);
  const stamps = [
    [ver - 1, earlierStamp],
    [ver + 1, stamp],
    // After a restore from a backup the same version has another stamp.
    [ver, earlierStamp],
  ] as const;
  for (const [since, itsStamp] of stamps) {
    const { cart, favourites } = await pull(ada, since, [], itsStamp);
    expect([since, cart?.length, favourites]).toEqual([since, 1, []]);
  }
  expect(await pull(ada, ver, [], stamp)).toMatchObject({ cart: null, favourites: null });
});

test('a new shopper has version 0, and gets no acknowledgement of another shopper’s change', async () => {
  const change = clearCart();
  await push(ada, [change]);
  expect(await pull(eve, null, [change.id, crypto.randomUUID()])).toEqual({
    uid: eve.id,
    device: PHONE_ID,
    ver: 0,
    stamp: null,
    cart: [],
    favourites: [],
    acks: [],
    rejected: [],
  });
});
