/** An address of its own on loopback for an emulator: the providers' SDKs take a host, not a path. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { listen, stop } from '../listen.ts';
import type { Emulator } from './emulator.ts';
import { ConnectionCut } from './faults.ts';
import type { StoredCheckout } from './payment.ts';

const HOST = '127.0.0.1';

/** @param create makes the emulator whose pages and API are at this address */
export async function openEmulator<E extends Emulator<StoredCheckout>>(
  create: (baseUrl: string) => E,
) {
  const server = await listenOnLoopback();
  const emulator = create(server.url);
  server.serve((request) => emulator.handle(request));
  return { url: server.url, emulator, close: server.close };
}

export async function listenOnLoopback() {
  const server = createServer();
  await listen(server, 0, HOST);
  const url = `http://${HOST}:${(server.address() as AddressInfo).port}`;
  return {
    url,
    /** Answers the requests that come from now on. One that came before is never answered. */
    serve(handle: (request: Request) => Promise<Response>): void {
      const listener = getRequestListener(
        async (request, { incoming }) => {
          try {
            return await handle(request);
          } catch (thrown) {
            const { socket, method, url: path } = incoming;
            const isExpected = thrown instanceof ConnectionCut || socket.destroyed;
            if (!isExpected) console.error(`${method} ${path} failed:`, thrown);
            socket.destroy();
            return new Response(null);
          }
        },
        { overrideGlobalObjects: false },
      );
      server.on('request', (message, response) => void listener(message, response));
    },
    close: () => stop(server),
  };
}
