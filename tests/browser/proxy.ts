import { connect, createServer, type Socket } from 'node:net';
import { forwardsAt, type LineQuality } from './line-quality.ts';
import { listen } from './listen.ts';

/** A proxy to the shop, which a test can cut after any byte or slow down. */
export interface Line extends AsyncDisposable {
  readonly url: string;
  /** How many bytes the shop has sent so far over a line that is not slow. */
  readonly received: number;
  /** Cuts every connection once the shop has sent `bytes` more; new ones work. */
  cutAfter(bytes: number): void;
  /** Drops every connection, and each new one until `up` is called. */
  down(): void;
  /** Lets connections through again, and cancels a cut that has not happened yet. */
  up(): void;
  /** Connects to another shop from now on, as after a deploy. */
  leadTo(target: string): void;
  /** Makes new connections as slow as this; null for no delay. */
  slowTo(quality: LineQuality | null): void;
  close(): Promise<void>;
}

/** A target for a line that is opened before its shop; nothing listens there. */
export const NO_SHOP_YET = 'http://localhost:9';

/** Opens a line to the shop at this address. */
export async function openLine(target: string): Promise<Line> {
  let { port } = new URL(target);
  const sockets = new Set<Socket>();
  let isDown = false;
  let receivedBytes = 0;
  let forwardSlowly: ReturnType<typeof forwardsAt> | null = null;
  /** The next cut: once the shop has sent this many bytes in all. */
  let cutAtBytes: number | null = null;

  function dropAll() {
    for (const socket of sockets) socket.resetAndDestroy();
    sockets.clear();
  }

  function track(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  }

  function forward(client: Socket, shop: Socket): void {
    client.on('close', () => shop.destroy());
    shop.on('close', () => client.destroy());
    client.pipe(shop);
    shop.on('data', (data) => {
      if (cutAtBytes !== null && receivedBytes + data.length >= cutAtBytes) {
        client.write(data.subarray(0, cutAtBytes - receivedBytes), () => dropAll());
        receivedBytes = cutAtBytes;
        cutAtBytes = null;
        return;
      }
      receivedBytes += data.length;
      client.write(data);
    });
  }

  const server = createServer((client) => {
    if (isDown) {
      client.resetAndDestroy();
      return;
    }
    track(client);
    const shop = connect(Number(port), '127.0.0.1');
    track(shop);
    (forwardSlowly ?? forward)(client, shop);
  });
  const ownPort = await listen(server);

  const close = async () => {
    dropAll();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `http://localhost:${ownPort}`,
    get received() {
      return receivedBytes;
    },
    cutAfter(bytes) {
      cutAtBytes = receivedBytes + bytes;
    },
    down() {
      isDown = true;
      dropAll();
    },
    up() {
      isDown = false;
      cutAtBytes = null;
    },
    leadTo(other) {
      port = new URL(other).port;
      dropAll();
    },
    slowTo(quality) {
      forwardSlowly = quality && forwardsAt(quality);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
