/** The embedded backend's WebSocket server: frames, close codes, handshakes and silent clients (RFC 6455). */
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
let closedCount = 0;
const SHORT_IDLE_MS = 300;
const LONG_IDLE_MS = 60_000;
/** The server cuts off a client that sends nothing for so long. */
let idleMs = LONG_IDLE_MS;

beforeAll(async () => {
  server = createServer();
  server.on('upgrade', (request, socket, head) => {
    const onOpen = (opened: Peer) => {
      peer = opened;
      onText(opened, (text) => void received.push(text));
      opened.once('close', () => void (closedCount += 1));
    };
    acceptWebSocket(request, socket, head, onOpen, idleMs);
  });
  port = await listen(server);
});
afterAll(() => server.close());
beforeEach(() => {
  received.length = 0;
  closedCount = 0;
});

async function open(): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  await once(socket, 'open');
  return socket;
}

const KEY = 'Sec-WebSocket-Key: d2FycCBhbmQgd2VmdCEhIQ==\r\n';

/** Opens a TCP connection and makes the handshake, so that a test can send any bytes. */
async function openTcp(headers = `Sec-WebSocket-Version: 13\r\n${KEY}`) {
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
/** The bytes that the server sends next. */
const next = async (socket: Socket) => (await once(socket, 'data'))[0] as Buffer;
/** First bytes of frames: the flag FIN (0x80), the flag RSV1 (0x40) and the opcode. */
const FIN = 0x80;
const RSV1 = 0x40;
const CONTINUATION = 0x0;
const TEXT = 0x1;
const BINARY = 0x2;
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;
/** Close codes (RFC 6455, 7.4.1). */
const PROTOCOL_ERROR = 1002;
const UNSUPPORTED_DATA = 1003;
const INVALID_PAYLOAD = 1007;
const TOO_BIG = 1009;

/** 4000 to 4999 are free for applications. */
const ANY_CODE = 4000;

const codeBytes = (code: number) => Buffer.from([code >> 8, code & 0xff]);
/** The server's close frame, which has no mask. */
const closeFrame = (code: number) => Buffer.from([FIN | CLOSE, 2, ...codeBytes(code)]);

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
  await vi.waitFor(() => expect(closedCount).toBe(1));
});

test('a message in three fragments with a ping between, sent byte by byte, is read as one', async () => {
  const { socket } = await openTcp();
  const bytes = Buffer.concat([
    frame(TEXT, 'warp '),
    frame(FIN | PING, 'hi'),
    frame(CONTINUATION, 'and '),
    frame(FIN | CONTINUATION, 'weft'),
  ]);
  const pong = next(socket);
  for (const byte of bytes) socket.write(Buffer.from([byte]));
  expect(await pong).toEqual(Buffer.from([FIN | PONG, 2, ...Buffer.from('hi')]));
  await vi.waitFor(() => expect(received).toEqual(['warp and weft']));
  socket.destroy();
});

test.each([
  ['a frame without a mask', Buffer.from([FIN | TEXT, 1, 120]), PROTOCOL_ERROR],
  ['a compressed frame', frame(FIN | RSV1 | TEXT, 'x'), PROTOCOL_ERROR],
  ['a binary frame', frame(FIN | BINARY, 'x'), UNSUPPORTED_DATA],
  ['a ping in pieces', frame(PING, 'x'), PROTOCOL_ERROR],
  [
    'a length of 4 GB',
    // 0xff: masked, and the length follows in eight bytes.
    Buffer.from([FIN | TEXT, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]),
    TOO_BIG,
  ],
  ['text that is not UTF-8', frame(FIN | TEXT, Buffer.from([0xff])), INVALID_PAYLOAD],
  ['a close frame', frame(FIN | CLOSE, codeBytes(ANY_CODE)), ANY_CODE],
])('%s closes the socket', async (_case, bytes, code) => {
  const { socket } = await openTcp();
  const answer = next(socket);
  socket.write(bytes);
  expect(await answer).toEqual(closeFrame(code));
  await once(socket, 'close');
  await vi.waitFor(() => expect(closedCount).toBe(1));
  expect(received).toEqual([]);
});

test('a message of more than a megabyte in fragments closes the socket', async () => {
  const { socket } = await openTcp();
  // A masked frame of 65,535 bytes: its length follows in the two bytes behind 0xfe.
  const piece = Buffer.concat([
    Buffer.from([TEXT, 0xfe, 0xff, 0xff, 0, 0, 0, 0]),
    Buffer.alloc(65_535),
  ]);
  const answer = next(socket);
  socket.write(piece);
  piece[0] = CONTINUATION;
  for (let i = 0; i < 16; i += 1) socket.write(piece);
  expect(await answer).toEqual(closeFrame(TOO_BIG));
  socket.destroy();
});

test.each([
  ['an older version', `Sec-WebSocket-Version: 7\r\n${KEY}`],
  ['no key', 'Sec-WebSocket-Version: 13\r\n'],
])('a handshake with %s is rejected', async (_case, headers) => {
  expect((await openTcp(headers)).answer).toMatch(/^HTTP\/1.1 400 /);
});

test('the server cuts off a client that has been silent too long, but no client that sends heartbeats', async () => {
  idleMs = SHORT_IDLE_MS;
  const { socket: silent } = await openTcp();
  const { socket: alive } = await openTcp();
  const heartbeat = setInterval(() => alive.write(frame(FIN | PONG, '')), SHORT_IDLE_MS / 5);
  await once(silent, 'close');
  await vi.waitFor(() => expect(closedCount).toBe(1));
  clearInterval(heartbeat);
  await once(alive, 'close');
  await vi.waitFor(() => expect(closedCount).toBe(2));
  idleMs = LONG_IDLE_MS;
});

test('the server sends a close frame, and nothing afterwards', async () => {
  const socket = await open();
  const end = once(socket, 'close');
  if (peer) closePeer(peer, GOING_AWAY);
  if (peer) sendText(peer, 'after the end');
  expect((await end)[0]).toMatchObject({ code: GOING_AWAY, wasClean: true });
  await vi.waitFor(() => expect(closedCount).toBe(1));
});
