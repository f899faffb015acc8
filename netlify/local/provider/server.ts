/** An address of its own on loopback for an emulator: the providers' SDKs take a host, not a path. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendResponse, toRequest } from '../bridge.ts';
import { listen, stop } from '../listen.ts';
import type { Emulator } from './emulator.ts';
import { ConnectionCut } from './faults.ts';
import type { StoredCheckout } from './payment.ts';

const HOST = '127.0.0.1';
/** How often the emulator ends what has run out of time, although no request comes. */
const TICK_MS = 10_000;

/** @param create makes the emulator whose pages and API are at this address */
export async function openEmulator<E extends Emulator<StoredCheckout>>(
  create: (baseUrl: string) => E,
) {
  const server = await listenOnLoopback();
  const emulator = create(server.url);
  server.serve((request) => emulator.handle(request));
  const ticking = setInterval(() => emulator.tick(), TICK_MS).unref();
  return {
    url: server.url,
    emulator,
    async close(): Promise<void> {
      clearInterval(ticking);
      await server.close();
    },
  };
}

export async function listenOnLoopback() {
  const server = createServer();
  await listen(server, 0, HOST);
  const url = `http://${HOST}:${(server.address() as AddressInfo).port}`;
  return {
    url,
    /** Answers the requests that come from now on. One that came before is never answered. */
    serve(handle: (request: Request) => Promise<Response>): void {
      server.on('request', (message, response) => {
        handle(toRequest(message, response, url))
          .then((answer) => sendResponse(message, response, answer))
          .catch((thrown: unknown) => {
            const isExpected = thrown instanceof ConnectionCut || message.socket.destroyed;
            if (!isExpected) console.error(`${message.method} ${message.url} failed:`, thrown);
            message.socket.destroy();
          });
      });
    },
    close: () => stop(server),
  };
}
