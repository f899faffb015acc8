/**
 * A database server that refuses every password, or accepts it and answers no query. It records what a client
 * sends, in clear or over TLS. Source: PostgreSQL manual, "Message Formats".
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

export interface FakeDatabase {
  readonly port: number;
  /** What the clients have sent, in order. */
  readonly messages: readonly Message[];
  close(): Promise<void>;
}

export type Message = 'asks for TLS' | 'begins a session' | 'sends its password' | 'sends a query';

export interface FakeDatabaseOptions {
  /** Whether a client that asks for TLS gets it, with CERTIFICATE. */
  readonly hasTls: boolean;
  /** The client's password: a message that contains it counts as `sends its password`. */
  readonly password: string;
  /** What happens when the client has sent the password; afterwards no query is answered. */
  readonly login?: 'refused' | 'then silent' | 'then broken';
}

/** The code of an SSLRequest. */
const SSL_REQUEST = 80_877_103;
/** AuthenticationCleartextPassword. */
const ASK_FOR_PASSWORD = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);
/** AuthenticationOk and ReadyForQuery. */
const WELCOME = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I');
/** ErrorResponse with the SQLSTATE of a wrong password. */
const WRONG_PASSWORD = Buffer.from('E\0\0\0\x17SFATAL\0C28P01\0Mno\0\0');

export async function openFakeDatabase(options: FakeDatabaseOptions): Promise<FakeDatabase> {
  const messages: Message[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // A client may cut the connection.
    socket.on('error', () => undefined);
    converse(socket, options, messages);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    messages,
    async close() {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}

/** Answers the client's next message, and the messages after it. */
function converse(socket: Socket, options: FakeDatabaseOptions, messages: Message[]) {
  const { hasTls, password, login = 'refused' } = options;
  socket.once('data', (data) => {
    if (data.length === 8 && data.readInt32BE(4) === SSL_REQUEST) {
      messages.push('asks for TLS');
      socket.write(hasTls ? 'S' : 'N');
      if (!hasTls) return converse(socket, options, messages);
      const secure = new TLSSocket(socket, { isServer: true, key: KEY, cert: CERTIFICATE });
      secure.on('error', () => undefined);
      return converse(secure, options, messages);
    }
    if (data.includes(password)) {
      messages.push('sends its password');
      if (login === 'refused') {
        socket.end(WRONG_PASSWORD);
        return;
      }
      socket.write(WELCOME);
      socket.once('data', () => {
        messages.push('sends a query');
        if (login === 'then broken') socket.destroy();
      });
      return;
    }
    messages.push('begins a session');
    socket.write(ASK_FOR_PASSWORD);
    converse(socket, options, messages);
  });
}

/**
 * A self-signed certificate for the address 0.0.0.0, valid until the year 2126. This address leads to this
 * machine, and clients do not treat it as a local one.
 */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBojCCAUigAwIBAgIUJIf7MSjc6VUqj41u5mHFIG46928wCgYIKoZIzj0EAwIw
HTEbMBkGA1UEAwwSZGF0YWJhc2Ugb2YgYSB0ZXN0MCAXDTI2MTEyMzAyNDg0NFoY
DzIxMjYxMDMwMDI0ODQ0WjAdMRswGQYDVQQDDBJkYXRhYmFzZSBvZiBhIHRlc3Qw
WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAT6biyeMg9pevpqSr7LyT5oCZ+PHKX0
515seGxmvo/3IlgbQYVPyIsT+F7qUJoXGjMgHiIvEJhuuxjBHLcYkPiwo2QwYjAd
BgNVHQ4EFgQUN26LRo3BmjSopwN2Cc1uFLs3z1swHwYDVR0jBBgwFoAUN26LRo3B
mjSopwN2Cc1uFLs3z1swDwYDVR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwQAAAAA
MAoGCCqGSM49BAMCA0gAMEUCIQCujBlyrBJAs6C4gaxhLtJ1Pfr1EbFaOBuzIPJv
GgSWegIgNmTexoNiAEZPeuUutku0Xa3rJArJDmOQrSSs+FPTtl8=
-----END CERTIFICATE-----
`;

const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg/FO8zIwqLfrQGmdS
ivVuXAKEyIjioIxr/r4rfvWrNJmhRANCAAT6biyeMg9pevpqSr7LyT5oCZ+PHKX0
515seGxmvo/3IlgbQYVPyIsT+F7qUJoXGjMgHiIvEJhuuxjBHLcYkPiw
-----END PRIVATE KEY-----
`;
