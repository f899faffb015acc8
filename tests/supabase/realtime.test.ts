/** The embedded Realtime with the client of supabase-js: who may join a shopper's topic, and what it is told. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterEach, expect, test, vi } from 'vitest';
import { clientOf } from './shop.ts';
import { openShopForFile } from './shop-for-file.ts';
import type { Shopper } from './shoppers.ts';
import { addShopper, addToCart, clearCart, clientWith, push, sell, tokenFor } from './shoppers.ts';

const clientsToClose: Pick<SupabaseClient, 'realtime'>[] = [];

/** Long enough for a busy machine: a test depends on what a phone receives, not on when. */
const WAIT_MS = 10_000;
const JOINED = ['SUBSCRIBED'];

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');
const eve = await addShopper(shop, 'eve');
const { COAT: coat } = await sell(shop, { COAT: 129.5 });
afterEach(async () => {
  for (const { realtime } of clientsToClose.splice(0)) await realtime.disconnect();
  await vi.waitFor(() => expect(shop.backend.realtime.socketCount).toBe(0), WAIT_MS);
});

const topicOf = ({ id }: Shopper) => `shopper:${id}`;

/**
 * Joins a topic, and waits for the answer. The token is set first, because the client does not add it to a join
 * that it has already sent.
 */
async function join(client: SupabaseClient, topic: string) {
  clientsToClose.push(client);
  await client.realtime.setAuth();
  const received: unknown[] = [];
  const states: string[] = [];
  client
    .channel(topic, { config: { private: true } })
    .on('broadcast', { event: 'changed' }, ({ payload }) => received.push(payload))
    .subscribe((state) => states.push(state));
  await vi.waitFor(() => expect(states).not.toEqual([]), WAIT_MS);
  return { received, states };
}

/** Pushes a change of this shopper, which raises the version. */
async function pushChange(shopper: Shopper): Promise<void> {
  await push(shopper, [addToCart(coat)]);
}

/** Resolves when this shopper's phones have been told of a change, and so of all that was changed before. */
async function tellWitness(shopper: Shopper): Promise<void> {
  const { received } = await join(clientWith(shop, shopper.token), topicOf(shopper));
  await pushChange(shopper);
  await vi.waitFor(() => expect(received).toHaveLength(1), WAIT_MS);
}

test('a phone that joined its shopper’s topic gets one message for each push of that shopper, which says nothing, and none for another shopper', async () => {
  const phones = [
    await join(clientWith(shop, ada.token), topicOf(ada)),
    await join(clientWith(shop, ada.token), topicOf(ada)),
  ];
  expect(phones.map(({ states }) => states)).toEqual([JOINED, JOINED]);
  await pushChange(ada);
  await pushChange(eve);
  await push(ada, Array.from({ length: 9 }, clearCart));
  await tellWitness(eve);
  expect(phones.map(({ received }) => received)).toEqual([
    [{}, {}],
    [{}, {}],
  ]);
});

test.each([
  ['another shopper', () => eve.client],
  ['a visitor', () => clientOf(shop)],
  ['a token that has expired', () => clientWith(shop, tokenFor(shop, ada.id, -60))],
])('%s may not join the topic of a shopper', async (_case, client) => {
  const { received, states } = await join(client(), topicOf(ada));
  expect(states).toEqual(['CHANNEL_ERROR']);
  await tellWitness(ada);
  expect(received).toEqual([]);
});
