/** Which tokens may push and pull, and what a pull answers when nothing is new. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { describe, expect, test } from 'vitest';
import { openShopForFile } from './shop-for-file.ts';
import {
  addShopper,
  addToCart,
  clearCart,
  clientWith,
  PHONE,
  pull,
  push,
  sell,
  tokenFor,
} from './shoppers.ts';
import { SQLSTATE } from './sqlstate.ts';

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');
const eve = await addShopper(shop, 'eve');
const { COAT: coat } = await sell(shop, { COAT: 129.5 });
/** PostgREST’s codes for a token that it does not accept. */
const EXPIRED = 'PGRST303';
const MALFORMED = 'PGRST301';

const sessions: [string, () => SupabaseClient, string, number][] = [
  ['another shopper’s token', () => eve.client, SQLSTATE.insufficientPrivilege, 403],
  ['no token', () => clientWith(shop, null), SQLSTATE.insufficientPrivilege, 401],
  ['a token that has expired', () => clientWith(shop, tokenFor(shop, ada.id, -60)), EXPIRED, 401],
  ['a token that is damaged', () => clientWith(shop, `${ada.token}x`), MALFORMED, 401],
];

describe.each(sessions)('%s', (_token, client, code, status) => {
  test('can neither push nor pull', async () => {
    const before = await pull(ada);
    const shopper = { p_user: ada.id, p_device: PHONE };
    const answers = [
      await client().rpc('push', { ...shopper, p_changes: [addToCart(coat)] }),
      await client().rpc('pull', { ...shopper, p_since: null, p_pending: [] }),
      await client().rpc('pull', shopper),
    ];
    for (const answer of answers) {
      expect([answer.error?.code, answer.status, answer.data]).toEqual([code, status, null]);
    }
    expect(await pull(ada)).toEqual(before);
  });
});

test('a request that names no shopper is rejected', async () => {
  const noShopper = { p_user: null, p_device: PHONE };
  for (const client of [ada.client, clientWith(shop, null)]) {
    const answers = [
      await client.rpc('push', { ...noShopper, p_changes: [] }),
      await client.rpc('pull', noShopper),
    ];
    for (const { error } of answers) expect(error?.code).toBe(SQLSTATE.insufficientPrivilege);
  }
});

test('a token of an account that is gone is told so', async () => {
  const bob = await addShopper(shop, 'bob');
  await shop.backend.query('delete from auth.users where id = $1', [bob.id]);
  const { error, status } = await push(bob, [clearCart()]);
  expect([error?.code, status]).toEqual(['PT410', 410]);
});

test('a pull with nothing new is at most 300 bytes and contains no rows', async () => {
  await push(ada, [addToCart(coat)]);
  const { ver, stamp, cart } = await pull(ada);
  expect(cart).toHaveLength(1);
  const phone = { p_user: ada.id, p_device: PHONE };
  const answer = await fetch(`${shop.url}/rest/v1/rpc/pull`, {
    method: 'POST',
    headers: {
      apikey: shop.backend.publishableKey,
      authorization: `Bearer ${ada.token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ ...phone, p_since: ver, p_pending: [], p_stamp: stamp }),
  });
  const body = await answer.text();
  expect(body.length).toBeLessThanOrEqual(300);
  expect(JSON.parse(body)).toEqual({
    uid: ada.id,
    device: PHONE,
    ver,
    stamp,
    cart: null,
    favourites: null,
    acks: [],
    rejected: [],
  });
});

test('a phone whose version is not the newest, or is none of the server’s, gets all rows', async () => {
  await push(ada, [addToCart(coat)]);
  const { ver, stamp } = await pull(ada);
  for (const since of [null, 0, ver - 1, ver + 1]) {
    const { cart, favourites } = await pull(ada, since, [], stamp);
    expect([since, cart?.length, favourites]).toEqual([since, 1, []]);
  }
});

test('a new shopper has version 0, and gets no acknowledgement of another shopper’s change', async () => {
  const change = clearCart();
  await push(ada, [change]);
  expect(await pull(eve, null, [change.id, crypto.randomUUID()])).toEqual({
    uid: eve.id,
    device: PHONE,
    ver: 0,
    stamp: null,
    cart: [],
    favourites: [],
    acks: [],
    rejected: [],
  });
});
