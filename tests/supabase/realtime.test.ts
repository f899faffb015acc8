import { RealtimeClient } from '@supabase/supabase-js';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { clientOf } from './shop.ts';
import { openShopForFile } from './shop-for-file.ts';
import type { Shopper } from './shoppers.ts';
import { addShopper, changeOf, clientWith, push, sell, tokenFor } from './shoppers.ts';

const open: SupabaseClient[] = [];

/** Long enough for a busy machine: a test fails by what a phone hears, not by when. */
const WAIT_MS = 10_000;

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');
const eve = await addShopper(shop, 'eve');
const { COAT: coat } = await sell(shop, { COAT: 129.5 });
afterEach(async () => {
  for (const client of open.splice(0)) await client.realtime.disconnect();
  await vi.waitFor(() => expect(shop.backend.realtime.sockets).toBe(0), WAIT_MS);
});

interface Heard {
  readonly event: string;
  readonly user: string;
  readonly ver: number;
}

/**
 * Subscribes to versions, and waits until the server says that it is listening. The token comes
 * first: a join that is on its way already goes without one, and the client never adds it.
 */
async function listenTo(client: SupabaseClient, filter?: string) {
  open.push(client);
  await client.realtime.setAuth();
  const heard: Heard[] = [];
  const system: string[] = [];
  const states: string[] = [];
  const channel = client
    .channel(`versions:${crypto.randomUUID()}`)
    .on<{ user_id: string; ver: number }>(
      'postgres_changes',
      {
        event: '*',
        schema: 'public',
        table: 'sync_user',
        ...(filter === undefined ? {} : { filter }),
      },
      ({ eventType, new: row }) => {
        if ('ver' in row) heard.push({ event: eventType, user: row.user_id, ver: row.ver });
      },
    )
    .on('system', {}, ({ message }: { message: string }) => system.push(message))
    .subscribe((state, failure) => states.push(failure ? `${state}: ${failure.message}` : state));
  await vi.waitFor(() => expect([...system, ...states.slice(1)].length).toBeGreaterThan(0), 5000);
  return { heard, system, states, channel };
}

/** Ends when a change of this shopper has been told to all who may hear it. */
async function buy(shopper: Shopper): Promise<void> {
  await push(shopper, [changeOf({ kind: 'cart.add', args: { productId: coat, by: 1 } })]);
}
const SUBSCRIBED = 'Subscribed to PostgreSQL';
const usersOf = (heard: readonly Heard[]) => [...new Set(heard.map(({ user }) => user))];

describe('a phone that subscribed to its shopper’s version', () => {
  test('the phone hears of a change of its shopper once, with the row, and never of another shopper’s', async () => {
    const { heard, system, states } = await listenTo(ada.client, `user_id=eq.${ada.id}`);
    expect([states, system]).toEqual([['SUBSCRIBED'], [SUBSCRIBED]]);
    await buy(ada);
    await buy(eve);
    await push(
      ada,
      Array.from({ length: 9 }, () => changeOf({ kind: 'cart.clear', args: {} })),
    );
    await vi.waitFor(() => expect(heard.at(-1)?.ver).toBe(10), WAIT_MS);
    // The first change of all makes the row.
    expect(heard).toEqual([
      { event: 'INSERT', user: ada.id, ver: 0 },
      { event: 'UPDATE', user: ada.id, ver: 1 },
      { event: 'UPDATE', user: ada.id, ver: 10 },
    ]);
  });

  test('the phone hears of changes that a plain client writes, too', async () => {
    const { heard } = await listenTo(ada.client, `user_id=eq.${ada.id}`);
    await ada.client.from('favorites').insert({ user_id: ada.id, product_id: coat });
    await ada.client.from('favorites').delete().eq('user_id', ada.id);
    await vi.waitFor(() => expect(heard).toHaveLength(2), WAIT_MS);
  });

  test('without a filter the phone still hears only of its shopper’s rows', async () => {
    const { heard } = await listenTo(ada.client);
    await buy(eve);
    await buy(ada);
    await vi.waitFor(() => expect(heard).toHaveLength(1), WAIT_MS);
    expect(usersOf(heard)).toEqual([ada.id]);
  });

  test('with a filter that does not fit, the phone hears nothing', async () => {
    const others = await listenTo(ada.client, `user_id=eq.${eve.id}`);
    const never = await listenTo(ada.client, 'ver=eq.0');
    const witness = await listenTo(eve.client);
    await buy(ada);
    await buy(eve);
    await vi.waitFor(() => expect(witness.heard).toHaveLength(1), WAIT_MS);
    expect([others.heard, never.heard]).toEqual([[], []]);
  });

  test('with the token of another shopper the phone hears only of that one’s changes', async () => {
    let token = ada.token;
    const phone = clientWith(shop, null);
    phone.realtime.accessToken = async () => token;
    const { heard, system } = await listenTo(phone);
    await buy(ada);
    await vi.waitFor(() => expect(heard).toHaveLength(1), WAIT_MS);
    token = eve.token;
    await phone.realtime.setAuth();
    await vi.waitFor(() => expect(system).toEqual([SUBSCRIBED, SUBSCRIBED]), WAIT_MS);
    heard.length = 0;
    await buy(ada);
    await buy(eve);
    await vi.waitFor(() => expect(heard).toHaveLength(1), WAIT_MS);
    expect(usersOf(heard)).toEqual([eve.id]);
  });

  test('a phone that has left the channel hears nothing', async () => {
    const { heard, channel } = await listenTo(ada.client);
    expect(await channel.unsubscribe()).toBe('ok');
    const { heard: witness } = await listenTo(ada.client);
    await buy(ada);
    await vi.waitFor(() => expect(witness).toHaveLength(1), WAIT_MS);
    expect(heard).toEqual([]);
  });

  test.each(['1.0.0', '2.0.0'])(
    'a phone whose socket was cut subscribes again (protocol %s)',
    async (vsn) => {
      const heartbeats = new Set<string>();
      const sockets: WebSocket[] = [];
      const phone = new RealtimeClient(`${shop.url.replace('http', 'ws')}/realtime/v1`, {
        params: { apikey: shop.backend.publishableKey },
        accessToken: async () => ada.token,
        reconnectAfterMs: () => 50,
        heartbeatIntervalMs: 250,
        heartbeatCallback: (status) => void heartbeats.add(status),
        vsn,
        transport: class extends WebSocket {
          constructor(address: string | URL) {
            super(address);
            sockets.push(this);
          }
        },
      });
      let rings = 0;
      const system: string[] = [];
      await phone.setAuth();
      phone
        .channel('versions')
        .on('postgres_changes', { event: '*', schema: 'public', table: 'sync_user' }, () => {
          rings += 1;
        })
        .on('system', {}, ({ message }: { message: string }) => system.push(message))
        .subscribe();
      await vi.waitFor(() => expect(system).toEqual([SUBSCRIBED]), WAIT_MS);
      sockets[0]?.close(4000);
      await vi.waitFor(() => expect(system).toEqual([SUBSCRIBED, SUBSCRIBED]), 5000);
      await buy(ada);
      await vi.waitFor(() => expect(rings).toBe(1), WAIT_MS);
      await vi.waitFor(() => expect(heartbeats).toContain('ok'), WAIT_MS);
      await phone.disconnect();
    },
  );

  test('two phones on one or two sockets each hear', async () => {
    const other = clientWith(shop, ada.token);
    const phones = [
      await listenTo(ada.client),
      await listenTo(ada.client),
      await listenTo(other, `user_id=in.(${ada.id},${eve.id})`),
    ];
    expect(shop.backend.realtime.sockets).toBe(2);
    await buy(ada);
    for (const { heard } of phones) await vi.waitFor(() => expect(heard).toHaveLength(1), WAIT_MS);
  });
});

describe('without the right to hear', () => {
  test('a visitor subscribes, and hears nothing', async () => {
    const { heard, system } = await listenTo(clientOf(shop));
    expect(system).toEqual([SUBSCRIBED]);
    const { heard: witness } = await listenTo(ada.client);
    await buy(ada);
    await vi.waitFor(() => expect(witness).toHaveLength(1), WAIT_MS);
    expect(heard).toEqual([]);
  });

  test.each([
    ['has expired', () => tokenFor(shop, ada.id, -60), /^InvalidJWTToken: Token has expired \d+ /],
    ['is signed with another key', () => `${ada.token.slice(0, -4)}abcd`, /^JwtSignatureError/],
    ['is no token', () => 'a.b.c', /^MalformedJWT/],
  ])('a join whose token %s is refused', async (_what, token, reason) => {
    const { states } = await listenToRefused(clientWith(shop, token()));
    expect(states[0]?.replace('CHANNEL_ERROR: ', '')).toMatch(reason);
  });

  async function listenToRefused(client: SupabaseClient) {
    open.push(client);
    await client.realtime.setAuth();
    const states: string[] = [];
    client
      .channel('versions')
      .on('postgres_changes', { event: '*', schema: 'public', table: 'sync_user' }, () => undefined)
      .subscribe((state, failure) => states.push(`${state}: ${failure?.message}`));
    await vi.waitFor(() => expect(states.length).toBeGreaterThan(0));
    return { states };
  }

  test('a channel ends when its token does, or gets a bad one', async () => {
    const short = await listenTo(clientWith(shop, tokenFor(shop, ada.id, 2)));
    expect(short.system).toEqual([SUBSCRIBED]);
    await vi.waitFor(() => expect(short.states).toEqual(['SUBSCRIBED', 'CLOSED']), 5000);
    expect(short.system[1]).toContain('Token has expired');

    const phone = clientWith(shop, ada.token);
    const replaced = await listenTo(phone);
    phone.realtime.accessToken = async () => tokenFor(shop, ada.id, -60);
    await phone.realtime.setAuth();
    await vi.waitFor(() => expect(replaced.states).toEqual(['SUBSCRIBED', 'CLOSED']), WAIT_MS);
  });

  test('a table that is not published is refused in words', async () => {
    const client = clientOf(shop);
    open.push(client);
    const system: string[] = [];
    client
      .channel('products')
      .on('postgres_changes', { event: '*', schema: 'public', table: 'products' }, () => undefined)
      .on('system', {}, ({ message }: { message: string }) => system.push(message))
      .subscribe();
    await vi.waitFor(() => expect(system[0]).toContain('Unable to subscribe to changes'), WAIT_MS);
  });

  test('a socket with a wrong key is refused', async () => {
    const address = `${shop.url.replace('http', 'ws')}/realtime/v1/websocket?vsn=2.0.0&apikey=`;
    const socket = new WebSocket(`${address}sb_publishable_wrong`);
    const ends = new Promise((end) => socket.addEventListener('close', end));
    expect(await ends).toMatchObject({ wasClean: false });
  });
});
