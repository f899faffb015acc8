/** The embedded Realtime with the client of supabase-js: who receives which change of a shopper's version. */
import { RealtimeClient } from '@supabase/supabase-js';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { clientOf } from './shop.ts';
import { openShopForFile } from './shop-for-file.ts';
import type { Shopper } from './shoppers.ts';
import { addShopper, addToCart, clearCart, clientWith, push, sell, tokenFor } from './shoppers.ts';

const clientsToClose: SupabaseClient[] = [];

/** Long enough for a busy machine: a test depends on what a phone receives, not on when. */
const WAIT_MS = 10_000;

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');
const eve = await addShopper(shop, 'eve');
const { COAT: coat } = await sell(shop, { COAT: 129.5 });
afterEach(async () => {
  for (const client of clientsToClose.splice(0)) await client.realtime.disconnect();
  await vi.waitFor(() => expect(shop.backend.realtime.socketCount).toBe(0), WAIT_MS);
});

const VERSIONS = { event: '*', schema: 'public', table: 'sync_user' } as const;

/** A change as supabase-js hands it over. */
interface Received {
  readonly event: string;
  readonly user: string;
  readonly ver: number;
}

/**
 * Subscribes to versions, and waits until the server confirms it. The token is set first, because the
 * client does not add it to a join that it has already sent.
 */
async function listenTo(client: SupabaseClient, filter?: string) {
  clientsToClose.push(client);
  await client.realtime.setAuth();
  const received: Received[] = [];
  const system: string[] = [];
  const states: string[] = [];
  const channel = client
    .channel(`versions:${crypto.randomUUID()}`)
    .on<{ user_id: string; ver: number }>(
      'postgres_changes',
      { ...VERSIONS, ...(filter !== undefined && { filter }) },
      ({ eventType, new: row }) => {
        if ('ver' in row) received.push({ event: eventType, user: row.user_id, ver: row.ver });
      },
    )
    .on('system', {}, ({ message }: { message: string }) => system.push(message))
    .subscribe((state, failure) => states.push(failure ? `${state}: ${failure.message}` : state));
  // A system message confirms the subscription; a second state says that it has ended.
  const answers = () => [...system, ...states.slice(1)];
  await vi.waitFor(() => expect(answers()).not.toEqual([]), WAIT_MS);
  return { received, system, states, channel };
}

/** Pushes a change of this shopper, which raises the version. */
async function pushChange(shopper: Shopper): Promise<void> {
  await push(shopper, [addToCart(coat)]);
}

const SUBSCRIBED = 'Subscribed to PostgreSQL';
const usersOf = (received: readonly Received[]) => [...new Set(received.map(({ user }) => user))];

describe('a phone that subscribed to its shopper’s version', () => {
  test('receives each change of its shopper once, with the row, and none of another shopper', async () => {
    const { received, system, states } = await listenTo(ada.client, `user_id=eq.${ada.id}`);
    expect([states, system]).toEqual([['SUBSCRIBED'], [SUBSCRIBED]]);
    await pushChange(ada);
    await pushChange(eve);
    const nineChanges = Array.from({ length: 9 }, clearCart);
    await push(ada, nineChanges);
    await vi.waitFor(() => expect(received.at(-1)?.ver).toBe(10), WAIT_MS);
    // The first push inserts the row at 0 and raises it to 1; the second raises it by its nine changes at once.
    expect(received).toEqual([
      { event: 'INSERT', user: ada.id, ver: 0 },
      { event: 'UPDATE', user: ada.id, ver: 1 },
      { event: 'UPDATE', user: ada.id, ver: 10 },
    ]);
  });

  test('receives changes that are written to the rows, without `push`', async () => {
    const { received } = await listenTo(ada.client, `user_id=eq.${ada.id}`);
    await ada.client.from('favorites').insert({ user_id: ada.id, product_id: coat });
    await ada.client.from('favorites').delete().eq('user_id', ada.id);
    await vi.waitFor(() => expect(received).toHaveLength(2), WAIT_MS);
  });

  test('receives only another shopper’s changes after it has sent that shopper’s token', async () => {
    let token = ada.token;
    const phone = clientWith(shop, null);
    phone.realtime.accessToken = async () => token;
    const { received, system } = await listenTo(phone);
    await pushChange(ada);
    await vi.waitFor(() => expect(received).toHaveLength(1), WAIT_MS);
    token = eve.token;
    await phone.realtime.setAuth();
    await vi.waitFor(() => expect(system).toEqual([SUBSCRIBED, SUBSCRIBED]), WAIT_MS);
    received.length = 0;
    await pushChange(ada);
    await pushChange(eve);
    await vi.waitFor(() => expect(received).toHaveLength(1), WAIT_MS);
    expect(usersOf(received)).toEqual([eve.id]);
  });

  test('receives nothing after it has left the channel', async () => {
    const { received, channel } = await listenTo(ada.client);
    expect(await channel.unsubscribe()).toBe('ok');
    const { received: witness } = await listenTo(ada.client);
    await pushChange(ada);
    await vi.waitFor(() => expect(witness).toHaveLength(1), WAIT_MS);
    expect(received).toEqual([]);
  });

  test('subscribes again after its socket was cut', async () => {
    const heartbeats = new Set<string>();
    const sockets: WebSocket[] = [];
    const phone = new RealtimeClient(`${shop.url.replace('http', 'ws')}/realtime/v1`, {
      params: { apikey: shop.backend.publishableKey },
      accessToken: async () => ada.token,
      reconnectAfterMs: () => 50,
      heartbeatIntervalMs: 250,
      heartbeatCallback: (status) => void heartbeats.add(status),
      transport: class extends WebSocket {
        constructor(address: string | URL) {
          super(address);
          sockets.push(this);
        }
      },
    });
    let changes = 0;
    const system: string[] = [];
    await phone.setAuth();
    phone
      .channel('versions')
      .on('postgres_changes', VERSIONS, () => void (changes += 1))
      .on('system', {}, ({ message }: { message: string }) => system.push(message))
      .subscribe();
    await vi.waitFor(() => expect(system).toEqual([SUBSCRIBED]), WAIT_MS);
    const ANY_CODE = 4000; // 4000 to 4999 are free for applications (RFC 6455)
    sockets[0]?.close(ANY_CODE);
    await vi.waitFor(() => expect(system).toEqual([SUBSCRIBED, SUBSCRIBED]), WAIT_MS);
    await pushChange(ada);
    await vi.waitFor(() => expect(changes).toBe(1), WAIT_MS);
    await vi.waitFor(() => expect(heartbeats).toContain('ok'), WAIT_MS);
    await phone.disconnect();
  });
});

describe('without the right to receive changes', () => {
  test('a visitor can subscribe, but receives nothing', async () => {
    const { received, system } = await listenTo(clientOf(shop));
    expect(system).toEqual([SUBSCRIBED]);
    const { received: witness } = await listenTo(ada.client);
    await pushChange(ada);
    await vi.waitFor(() => expect(witness).toHaveLength(1), WAIT_MS);
    expect(received).toEqual([]);
  });

  test.each([
    ['has expired', () => tokenFor(shop, ada.id, -60)],
    ['is signed with another key', () => `${ada.token.slice(0, -4)}abcd`],
    ['is no token', () => 'a.b.c'],
  ])('a join whose token %s is rejected', async (_case, token) => {
    const client = clientWith(shop, token());
    clientsToClose.push(client);
    await client.realtime.setAuth();
    const states: string[] = [];
    client
      .channel('versions')
      .on('postgres_changes', VERSIONS, () => undefined)
      .subscribe((state) => states.push(state));
    await vi.waitFor(() => expect(states).toContain('CHANNEL_ERROR'), WAIT_MS);
  });

  test('a channel is closed when its token is replaced by an invalid one', async () => {
    const phone = clientWith(shop, ada.token);
    const replaced = await listenTo(phone);
    phone.realtime.accessToken = async () => tokenFor(shop, ada.id, -60);
    await phone.realtime.setAuth();
    await vi.waitFor(() => expect(replaced.states).toEqual(['SUBSCRIBED', 'CLOSED']), WAIT_MS);
  });

  test('a socket with a wrong key is rejected', async () => {
    const address = `${shop.url.replace('http', 'ws')}/realtime/v1/websocket?vsn=2.0.0&apikey=`;
    const socket = new WebSocket(`${address}sb_publishable_wrong`);
    const ends = new Promise((end) => socket.addEventListener('close', end));
    expect(await ends).toMatchObject({ wasClean: false });
  });
});
