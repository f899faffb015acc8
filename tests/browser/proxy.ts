import { createServer, type Socket, connect } from 'node:net';
import { listen } from './listen.ts';

/** A line to the shop that a test can cut: on loopback, byte by byte. */
export interface Line {
  readonly url: string;
  /** Bytes that have come from the shop so far. */
  readonly received: number;
  /** Cuts every connection once `bytes` more have come from the shop; new ones then work again. */
  cutAfter(bytes: number): Promise<void>;
  /** Refuses everything until `up`. */
  down(): void;
  /** Lets everything through again, and forgets a cut that was still to come. */
  up(): void;
  /** Leads to another shop from the next connection on, as a deploy does. */
  leadTo(target: string): void;
  close(): Promise<void>;
}

export async function openLine(target: string): Promise<Line> {
  let { port } = new URL(target);
  const sockets = new Set<Socket>();
  let isDown = false;
  let received = 0;
  let cut: { at: number; done: () => void } | null = null;

  function drop() {
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
      if (cut && received + data.length >= cut.at) {
        const { at, done } = cut;
        client.write(data.subarray(0, at - received), () => drop());
        received = at;
        cut = null;
        done();
        return;
      }
      received += data.length;
      client.write(data);
    });
  });
  const ownPort = await listen(server);

  return {
    url: `http://localhost:${ownPort}`,
    get received() {
      return received;
    },
    cutAfter: (bytes) =>
      new Promise((done) => {
        cut = { at: received + bytes, done };
      }),
    down() {
      isDown = true;
      drop();
    },
    up() {
      isDown = false;
      cut = null;
    },
    leadTo(other) {
      port = new URL(other).port;
      drop();
    },
    async close() {
      drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
