/**
 * The server side of Realtime's websockets: text messages without compression. The server cuts off
 * a client that sends nothing for a minute, as Realtime does; its clients send a heartbeat every
 * 25 s.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';

/** Close codes. Source: RFC 6455, section 7.4.1. */
export const GOING_AWAY = 1001;
const UNSUPPORTED_DATA = 1003;

const IDLE_MS = 60_000;
/** How long a client may take to answer a close. */
const CLOSE_MS = 1000;
const MAX_MESSAGE_BYTES = 1_000_000;
/** A client with more unread bytes is cut off. */
const MAX_WAITING_BYTES = 4_000_000;

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MAX_MESSAGE_BYTES,
});

/**
 * Answers an upgrade request; a handshake that breaks the protocol gets status 400.
 *
 * @param onOpen runs before the first message is read
 */
export function acceptWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  onOpen: (peer: WebSocket) => void,
  idleMs = IDLE_MS,
): void {
  server.handleUpgrade(request, socket, head, (peer) => {
    const idle = setTimeout(() => peer.terminate(), idleMs);
    socket.on('data', () => idle.refresh());
    peer.once('close', () => clearTimeout(idle));
    // `ws` closes the connection by itself when a frame breaks the protocol or is too long.
    peer.on('error', () => undefined);
    onOpen(peer);
  });
}

/** Calls `receive` with each message; a binary one closes the socket. */
export function onText(peer: WebSocket, receive: (text: string) => void): void {
  peer.on('message', (message, isBinary) => {
    if (isBinary) closePeer(peer, UNSUPPORTED_DATA);
    else receive((message as Buffer).toString()); // the default of `binaryType`
  });
}

/** Sends a text. Cuts off a client that does not read, which would fill the server's memory. */
export function sendText(peer: WebSocket, text: string): void {
  peer.send(text);
  if (peer.bufferedAmount > MAX_WAITING_BYTES) peer.terminate();
}

/** Closes the socket, and cuts off a client that does not answer that. */
export function closePeer(peer: WebSocket, code: number): void {
  peer.close(code);
  setTimeout(() => peer.terminate(), CLOSE_MS).unref();
}

/** @param status code and reason, such as `404 Not Found` */
export function rejectUpgrade(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
