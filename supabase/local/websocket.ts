/**
 * The server side of a websocket (RFC 6455), as far as Realtime's clients use it: text messages, no
 * extensions. Node has only the client side. A peer that sends nothing for a minute is cut off, as
 * Realtime does; its clients send a heartbeat every 25 s.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

export interface Peer {
  send(text: string): void;
  /** Says goodbye and closes; nothing is heard from the peer afterwards. */
  close(code: number): void;
}

export interface PeerListener {
  onText(text: string): void;
  /** Once, whoever closed. */
  onClose(): void;
}

export const NORMAL = 1000;
export const GOING_AWAY = 1001;
const PROTOCOL_ERROR = 1002;
const NOT_TEXT = 1007;
const TOO_BIG = 1009;

const IDLE_MS = 60_000;
const MAX_MESSAGE_BYTES = 1_000_000;
/** A peer that does not read must not fill our memory. */
const MAX_WAITING_BYTES = 4_000_000;

const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

/** Answers an upgrade request, or refuses it and returns undefined. */
export function acceptWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  listener: PeerListener,
  idleMs = IDLE_MS,
): Peer | undefined {
  const key = request.headers['sec-websocket-key'];
  if (request.headers['sec-websocket-version'] !== '13' || key === undefined) {
    refuseUpgrade(socket, '400 Bad Request');
    return undefined;
  }
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
  socket.write(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      `Sec-WebSocket-Accept: ${accept.digest('base64')}\r\n\r\n`,
  );
  return talk(socket, head, listener, idleMs);
}

export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function talk(socket: Duplex, head: Buffer, listener: PeerListener, idleMs: number): Peer {
  let received = head;
  let message: Buffer[] = [];
  let isClosing = false;
  const idle = setTimeout(() => socket.destroy(), idleMs);

  function write(opcode: number, payload: Buffer): void {
    if (!socket.writable || isClosing) return;
    socket.write(Buffer.concat([frameHead(opcode, payload.length), payload]));
    if (socket.writableLength > MAX_WAITING_BYTES) socket.destroy();
  }

  function close(code: number): void {
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(code);
    write(CLOSE, payload);
    isClosing = true;
    socket.end();
    // A peer that is gone never ends its side.
    setTimeout(() => socket.destroy(), 1000).unref();
  }

  function take({ isLast, opcode, payload }: Frame): void {
    if (opcode === PING) write(PONG, payload);
    else if (opcode === CLOSE) close(payload.length < 2 ? NORMAL : payload.readUInt16BE());
    if (opcode > TEXT) return;
    message.push(payload);
    if (message.reduce((sum, part) => sum + part.length, 0) > MAX_MESSAGE_BYTES) {
      return close(TOO_BIG);
    }
    if (!isLast) return;
    const bytes = Buffer.concat(message);
    message = [];
    const text = decode(bytes);
    if (text === undefined) close(NOT_TEXT);
    else listener.onText(text);
  }

  function read(): void {
    while (!isClosing) {
      const frame = readFrame(received);
      if (frame === undefined) return;
      if (frame === 'broken') return close(PROTOCOL_ERROR);
      received = received.subarray(frame.sizeBytes);
      take(frame);
    }
  }

  socket.on('data', (bytes: Buffer) => {
    idle.refresh();
    received = Buffer.concat([received, bytes]);
    read();
  });
  socket.on('error', () => socket.destroy());
  socket.on('end', () => socket.end());
  socket.once('close', () => {
    clearTimeout(idle);
    isClosing = true;
    listener.onClose();
  });
  // What came with the handshake is read when the caller has the peer in hand.
  queueMicrotask(read);
  return { send: (text) => write(TEXT, Buffer.from(text)), close };
}

interface Frame {
  readonly isLast: boolean;
  readonly opcode: number;
  readonly payload: Buffer;
  readonly sizeBytes: number;
}

/** undefined while the frame is not all here. */
function readFrame(bytes: Buffer): Frame | 'broken' | undefined {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  const opcode = first & 0x0f;
  const isMasked = (second & 0x80) !== 0;
  const isControl = opcode >= CLOSE;
  const shortLength = second & 0x7f;
  // Clients mask, control frames are short and whole, and nobody asked for extensions or binary.
  const isBroken =
    !isMasked ||
    (first & 0x70) !== 0 ||
    ![0, TEXT, CLOSE, PING, PONG].includes(opcode) ||
    (isControl && (shortLength > 125 || (first & 0x80) === 0));
  if (isBroken) return 'broken';
  const start = { 126: 4, 127: 10 }[shortLength] ?? 2;
  if (bytes.length < start + 4) return undefined;
  let length = shortLength;
  if (shortLength === 126) length = bytes.readUInt16BE(2);
  if (shortLength === 127) length = Number(bytes.readBigUInt64BE(2));
  if (length > MAX_MESSAGE_BYTES) return 'broken';
  const end = start + 4 + length;
  if (bytes.length < end) return undefined;
  const mask = bytes.subarray(start, start + 4);
  const payload = Buffer.from(bytes.subarray(start + 4, end));
  for (let i = 0; i < payload.length; i += 1) payload[i] = (payload[i] ?? 0) ^ (mask[i % 4] ?? 0);
  return { isLast: (first & 0x80) !== 0, opcode, payload, sizeBytes: end };
}

function frameHead(opcode: number, length: number): Buffer {
  const first = 0x80 | opcode;
  if (length < 126) return Buffer.from([first, length]);
  if (length < 65_536) return Buffer.from([first, 126, length >> 8, length & 0xff]);
  const head = Buffer.alloc(10);
  head[0] = first;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
