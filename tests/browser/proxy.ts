import { createServer, type Socket, connect } from 'node:net';
import { listen } from './listen.ts';

/** A TCP proxy to the shop, which a test can cut after any byte. */
export interface Line {
  readonly url: string;
  /** How many bytes the shop has sent so far. */
  readonly received: number;
  /** Cuts every connection once the shop has sent `bytes` more, and then resolves; new ones work. */
  cutAfter(bytes: number): Promise<void>;
  /** Drops every connection, and each new one until `up` is called. */
  down(): void;
  /** Lets connections through again, and cancels a cut that has not happened yet. */
  up(): void;
  /** Connects to another shop from now on, as after a deploy. */
  leadTo(target: string): void;
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
  /** The cut that is to happen once the shop has sent `atBytes` in all. */
  let cut: { atBytes: number; done: () => void } | null = null;

  function dropAll() {
    for (const socket of sockets) socket.resetAndDestroy();
    sockets.clear();
  }

  const server = createServer((client) => {
    if (isDown) {
      client.resetAndDestroy();
      return;
    }
    const shop = connect(Number(port), '127.0.0.1');
    for (const socket of [client, shop]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        shop.destroy();
      });
    }
    client.pipe(shop);
    shop.on('data', (data) => {
      if (cut && receivedBytes + data.length >= cut.atBytes) {
        const { atBytes, done } = cut;
        client.write(data.subarray(0, atBytes - receivedBytes), () => dropAll());
        receivedBytes = atBytes;
        cut = null;
        done();
        return;
      }
      receivedBytes += data.length;
      client.write(data);
    });
  });
  const ownPort = await listen(server);

  return {
    url: `http://localhost:${ownPort}`,
    get received() {
      return receivedBytes;
    },
    cutAfter: (bytes) =>
      new Promise((done) => {
        cut = { atBytes: receivedBytes + bytes, done };
      }),
    down() {
      isDown = true;
      dropAll();
    },
    up() {
      isDown = false;
      cut = null;
    },
    leadTo(other) {
      port = new URL(other).port;
      dropAll();
    },
    async close() {
      dropAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
