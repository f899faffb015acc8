import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { WebSocket as Peer } from 'ws';
import {
  acceptWebSocket,
  closePeer,
  GOING_AWAY,
  onText,
  sendText,
} from '../../supabase/local/websocket.ts';
import { listen } from '../browser/listen.ts';

let server: Server;
let port: number;
let peer: Peer | undefined;
const received: string[] = [];
let closed = 0;
const IDLE_MS = 300;
/** How long the server lets sockets be silent. */
let idleMs = 60_000;

beforeAll(async () => {
  server = createServer();
  server.on('upgrade', (request, socket, head) => {
    const onOpen = (opened: Peer) => {
      peer = opened;
      onText(opened, (text) => void received.push(text));
      opened.once('close', () => void (closed += 1));
    };
    acceptWebSocket(request, socket, head, onOpen, idleMs);
  });
  port = await listen(server);
});
afterAll(() => server.close());
beforeEach(() => {
  received.length = 0;
  closed = 0;
});

async function open(): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  await once(socket, 'open');
  return socket;
}

const KEY = 'Sec-WebSocket-Key: d2FycCBhbmQgd2VmdCEhIQ==\r\n';

/** Opens a TCP connection and makes the handshake, so that a test can send any bytes. */
async function openRaw(headers = `Sec-WebSocket-Version: 13\r\n${KEY}`) {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n`,
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return { socket, answer: answer.toString('latin1') };
}

/** A client's frame with this first byte (flags and opcode), masked with zeros. */
const frame = (first: number, payload: string | Buffer) =>
  Buffer.concat([Buffer.from([first, 0x80 | payload.length, 0, 0, 0, 0]), Buffer.from(payload)]);
const next = async (socket: Socket) => (await once(socket, 'data'))[0] as Buffer;
const closeFrame = (code: number) => Buffer.from([0x88, 2, code >> 8, code & 0xff]);

test.each([0, 125, 900_000])('text of %i bytes goes both ways', async (size) => {
  const socket = await open();
  const text = 'é'.repeat(size / 2) + 'x'.repeat(size % 2);
  socket.send(text);
  await vi.waitFor(() => expect(received).toHaveLength(1));
  expect(received[0] === text).toBe(true);
  const answer = once(socket, 'message');
  peer?.send(text);
  expect((await answer)[0].data === text).toBe(true);
  socket.close();
  await vi.waitFor(() => expect(closed).toBe(1));
});

test('a message in three fragments with a ping between, sent byte by byte, is read as one', async () => {
  const { socket } = await openRaw();
  const bytes = Buffer.concat([
    frame(0x01, 'warp '),
    frame(0x89, 'hi'),
    frame(0x00, 'and '),
    frame(0x80, 'weft'),
  ]);
  const pong = next(socket);
  for (const byte of bytes) socket.write(Buffer.from([byte]));
  expect(await pong).toEqual(Buffer.from([0x8a, 2, ...Buffer.from('hi')]));
  await vi.waitFor(() => expect(received).toEqual(['warp and weft']));
  socket.destroy();
});

test.each([
  ['a frame without a mask', Buffer.from([0x81, 1, 120]), 1002],
  ['a compressed frame', frame(0xc1, 'x'), 1002],
  ['a binary frame', frame(0x82, 'x'), 1003],
  ['a ping in pieces', frame(0x09, 'x'), 1002],
  ['a length of 4 GB', Buffer.from([0x81, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]), 1009],
  ['text that is not UTF-8', frame(0x81, Buffer.from([0xff])), 1007],
  ['a close frame', frame(0x88, Buffer.from([0x0f, 0xa0])), 4000],
])('%s closes the socket', async (_case, bytes, code) => {
  const { socket } = await openRaw();
  const answer = next(socket);
  socket.write(bytes);
  expect(await answer).toEqual(closeFrame(code));
  await once(socket, 'close');
  await vi.waitFor(() => expect(closed).toBe(1));
  expect(received).toEqual([]);
});

test('a message of more than a megabyte in fragments closes the socket', async () => {
  const { socket } = await openRaw();
  const piece = Buffer.concat([
    Buffer.from([0x01, 0xfe, 0xff, 0xff, 0, 0, 0, 0]),
    Buffer.alloc(65_535),
  ]);
  const answer = next(socket);
  socket.write(piece);
  piece[0] = 0;
  for (let i = 0; i < 16; i += 1) socket.write(piece);
  expect(await answer).toEqual(closeFrame(1009));
  socket.destroy();
});

test.each([
  ['an older version', `Sec-WebSocket-Version: 7\r\n${KEY}`],
  ['no key', 'Sec-WebSocket-Version: 13\r\n'],
])('a handshake with %s is rejected', async (_case, headers) => {
  expect((await openRaw(headers)).answer).toMatch(/^HTTP\/1.1 400 /);
});

test('the server cuts off a client that has been silent too long, and keeps one that sends heartbeats', async () => {
  idleMs = IDLE_MS;
  const { socket: silent } = await openRaw();
  const { socket: alive } = await openRaw();
  const heartbeat = setInterval(() => alive.write(frame(0x8a, '')), IDLE_MS / 5);
  await once(silent, 'close');
  await vi.waitFor(() => expect(closed).toBe(1));
  clearInterval(heartbeat);
  await once(alive, 'close');
  await vi.waitFor(() => expect(closed).toBe(2));
  idleMs = 60_000;
});

test('the server sends a close frame, and nothing afterwards', async () => {
  const socket = await open();
  const end = once(socket, 'close');
  if (peer) closePeer(peer, GOING_AWAY);
  if (peer) sendText(peer, 'after the end');
  expect((await end)[0]).toMatchObject({ code: GOING_AWAY, wasClean: true });
  await vi.waitFor(() => expect(closed).toBe(1));
});
