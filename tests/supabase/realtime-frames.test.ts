/**
 * The frames of the embedded Realtime. Expected are those of Supabase's server (supabase/realtime) over Phoenix's
 * protocol; only the reasons for rejecting private channels and broadcasts are the emulator's own.
 */
import { once } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { openShopForFile } from './shop-for-file.ts';
import { addShopper, clearCart, push } from './shoppers.ts';

/** A frame of Phoenix’s protocol, version 2.0.0. */
type Message = [
  joinRef: string | null,
  ref: string | null,
  topic: string,
  event: string,
  payload: Record<string, unknown>,
];

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');
let socket: WebSocket;

/** Pushes a change, which raises the shopper's version. */
const raiseVersion = () => push(ada, [clearCart()]);
// Makes the shopper's row of versions, so that the tests see updates of it.
await raiseVersion();
afterEach(() => socket.close());

/** Opens a socket. `next` waits for `count` messages, removes them from `received` and returns them. */
async function open() {
  const params = new URLSearchParams({ apikey: shop.backend.publishableKey, vsn: '2.0.0' });
  socket = new WebSocket(`${shop.url.replace('http', 'ws')}/realtime/v1/websocket?${params}`);
  const received: Message[] = [];
  socket.addEventListener('message', ({ data }) => received.push(JSON.parse(String(data))));
  await once(socket, 'open');
  const send = (...message: Message) => socket.send(JSON.stringify(message));
  const next = async (count: number) => {
    await vi.waitFor(() => expect(received.length).toBeGreaterThanOrEqual(count));
    return received.splice(0, count);
  };
  return { received, send, next };
}

const VERSIONS = { event: '*', schema: 'public', table: 'sync_user' };
/** The payload of a join that subscribes to these tables. */
const joinWith = (...bindings: object[]) => ({
  access_token: ada.token,
  config: { postgres_changes: bindings },
});
/** The payload with which the server confirms a subscription. */
const confirmation = (topic: string) =>
  expect.objectContaining({
    extension: 'postgres_changes',
    channel: topic,
    status: 'ok',
    message: 'Subscribed to PostgreSQL',
  }) as object;
const anyNumber = expect.any(Number) as number;
const anyUuid = expect.stringMatching(/^[\da-f-]{36}$/) as string;

test('a join is answered with ids of its subscriptions, and each change names the ids that match', async () => {
  const { send, next } = await open();
  const updates = { ...VERSIONS, event: 'UPDATE', filter: `user_id=eq.${ada.id}` };
  const inserts = { ...VERSIONS, event: 'INSERT' };
  send('1', '1', 'realtime:a', 'phx_join', joinWith(VERSIONS, updates, inserts));
  const [reply, systemMessage] = await next(2);
  expect(reply).toEqual([
    '1',
    '1',
    'realtime:a',
    'phx_reply',
    {
      status: 'ok',
      response: {
        postgres_changes: [VERSIONS, updates, inserts].map((binding) => ({
          id: anyNumber,
          ...binding,
        })),
      },
    },
  ]);
  expect(systemMessage).toEqual(['1', null, 'realtime:a', 'system', confirmation('a')]);

  await raiseVersion();
  const { response } = (reply?.[4] ?? {}) as { response?: { postgres_changes: { id: number }[] } };
  const [any, update] = response?.postgres_changes ?? [];
  const [[, , , event, payload] = []] = await next(1);
  expect([event, payload]).toEqual([
    'postgres_changes',
    {
      ids: [any?.id, update?.id],
      data: {
        schema: 'public',
        table: 'sync_user',
        type: 'UPDATE',
        commit_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
        columns: [
          { name: 'id', type: 'uuid' },
          { name: 'user_id', type: 'uuid' },
          { name: 'ver', type: 'int8' },
          { name: 'stamp', type: 'uuid' },
        ],
        record: { id: anyUuid, user_id: ada.id, ver: anyNumber, stamp: anyUuid },
        old_record: { id: anyUuid },
        errors: null,
      },
    },
  ]);
});

test('leaving a topic is confirmed and ends its changes, and a second join of a topic replaces the first', async () => {
  const { received, send, next } = await open();
  send('1', '1', 'realtime:a', 'phx_join', joinWith(VERSIONS));
  send('2', '2', 'realtime:b', 'phx_join', joinWith(VERSIONS));
  send('3', '3', 'realtime:b', 'phx_join', joinWith(VERSIONS));
  await next(3 * 2); // a reply and a message of the system for each join
  send('1', '4', 'realtime:a', 'phx_leave', {});
  expect(await next(2)).toEqual([
    ['1', '4', 'realtime:a', 'phx_reply', { status: 'ok', response: {} }],
    ['1', '1', 'realtime:a', 'phx_close', {}],
  ]);
  await raiseVersion();
  const [[joinRef, , topic] = []] = await next(1);
  expect([joinRef, topic]).toEqual(['3', 'realtime:b']);
  // Any further change would arrive before the answer to this heartbeat.
  send(null, '5', 'phoenix', 'heartbeat', {});
  expect(await next(1)).toEqual([
    [null, '5', 'phoenix', 'phx_reply', { status: 'ok', response: {} }],
  ]);
  expect(received).toEqual([]);
});

test('a key instead of a token changes nothing, as on hosted Realtime', async () => {
  const { send, next } = await open();
  send('1', '1', 'realtime:a', 'phx_join', joinWith(VERSIONS));
  await next(2);
  for (const token of [shop.backend.publishableKey, null]) {
    send('1', '2', 'realtime:a', 'access_token', { access_token: token });
  }
  await raiseVersion();
  const [[, , , event] = []] = await next(1);
  expect(event).toBe('postgres_changes');
});

test('a deletion is sent with the row’s id only, which does not identify the shopper', async () => {
  const bob = await addShopper(shop, 'bob');
  await push(bob, [clearCart()]);
  const { send, next } = await open();
  send('1', '1', 'realtime:a', 'phx_join', joinWith(VERSIONS));
  await next(2);
  await shop.backend.query('delete from auth.users where id = $1', [bob.id]);
  const [[, , , , payload] = []] = await next(1);
  expect(payload?.['data']).toMatchObject({ type: 'DELETE', old_record: { id: anyUuid } });
  expect(payload?.['data']).not.toHaveProperty('record');
  expect(JSON.stringify(payload)).not.toContain(bob.id);
});

test.each<[string, Message, string]>([
  ['a topic that was not joined', ['1', '9', 'realtime:z', 'access_token', {}], 'unmatched topic'],
  ['a topic of another kind', ['1', '9', 'room:1', 'phx_join', {}], 'unmatched topic'],
  [
    'a private channel',
    ['1', '9', 'realtime:p', 'phx_join', { config: { private: true } }],
    'Unauthorized: private channels are not here',
  ],
  [
    'a broadcast',
    ['1', '9', 'realtime:a', 'broadcast', { event: 'x' }],
    'broadcast is not supported here',
  ],
])('%s is rejected with a reason', async (_case, message, reason) => {
  const { send, next } = await open();
  send('1', '1', 'realtime:a', 'phx_join', joinWith());
  await next(1);
  send(...message);
  expect(await next(1)).toEqual([
    ['1', '9', message[2], 'phx_reply', { status: 'error', response: { reason } }],
  ]);
});

test('a message that is not a frame is ignored', async () => {
  const { send, next } = await open();
  for (const text of ['', 'x', '7', 'null', '[]', '{}', '[1,2,3]']) socket.send(text);
  send(null, '1', 'phoenix', 'heartbeat', {});
  expect(await next(1)).toMatchObject([[null, '1', 'phoenix', 'phx_reply', { status: 'ok' }]]);
});

test('a filter by an operator that Realtime does not know subscribes to nothing and stops no other channel', async () => {
  const { received, send, next } = await open();
  // Every object of JavaScript has a `valueOf`, so a look-up by name would find an operator.
  const filter = `user_id=valueOf.${ada.id}`;
  send('1', '1', 'realtime:a', 'phx_join', joinWith({ ...VERSIONS, filter }));
  send('2', '2', 'realtime:b', 'phx_join', joinWith(VERSIONS));
  await vi.waitFor(() => expect(received).toHaveLength(4));
  expect(
    received.some(([, , , event, { status }]) => event === 'system' && status === 'error'),
  ).toBe(true);
  received.length = 0;
  await raiseVersion();
  const [change] = await next(1);
  expect(change?.[2]).toBe('realtime:b');
});
