/** An address of its own on loopback for an emulator: the providers' SDKs take a host, not a path. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendResponse, toRequest } from '../bridge.ts';
import { listen, stop } from '../listen.ts';
import { ConnectionCut } from './faults.ts';

const HOST = '127.0.0.1';

/** @param port the port to use; where it is taken, and for 0, the system chooses a free one */
export async function listenOnLoopback(port = 0) {
  const server = createServer();
  await listen(server, port, HOST).catch((thrown: unknown) => {
    if (port === 0) throw thrown;
    return listen(server, 0, HOST);
  });
  const url = `http://${HOST}:${(server.address() as AddressInfo).port}`;
  return {
    url,
    /** Answers the requests that come from now on. One that came before is never answered. */
    serve(handle: (request: Request) => Promise<Response>): void {
      server.on('request', (message, response) => {
        // No keep-alive: a client would use a dead connection after a restart on the same port.
        response.setHeader('connection', 'close');
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
