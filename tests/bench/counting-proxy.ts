import { createServer, request } from 'node:http';
import { listen } from '../browser/listen.ts';

/** What the proxy has counted of the shop's responses. */
export interface Traffic {
  readonly requests: number;
  /** Response bodies, still compressed, without the framing of chunks. */
  readonly bodyBytes: number;
  /** Response status lines and headers. */
  readonly headerBytes: number;
}

export interface CountingProxy {
  readonly url: string;
  /** Returns the traffic since the last call. */
  trafficSinceLastCall(): Traffic;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens a proxy that counts. It requests gzip whatever the client accepts, because every browser receives
 * gzip. The benches compare the bytes with those of one file of the same rows in gzip.
 */
export async function openCountingProxy(target: string): Promise<CountingProxy> {
  const { host } = new URL(target);
  const noTraffic = () => ({ requests: 0, bodyBytes: 0, headerBytes: 0 });
  let traffic = noTraffic();
  const server = createServer((incoming, outgoing) => {
    traffic.requests += 1;
    const headers = { ...incoming.headers, host, 'accept-encoding': 'gzip' };
    const forwarded = request(new URL(incoming.url ?? '/', target), {
      method: incoming.method,
      headers,
    });
    forwarded.on('response', (answer) => {
      const lines = answer.rawHeaders.length / 2;
      const status = `HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\n`;
      // Each line has a colon, a space and a line end; an empty line ends the head.
      traffic.headerBytes += status.length + answer.rawHeaders.join('').length + 4 * lines + 2;
      outgoing.writeHead(answer.statusCode ?? 500, answer.rawHeaders);
      answer.on('data', (bytes: Buffer) => (traffic.bodyBytes += bytes.length));
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    trafficSinceLastCall() {
      const counted = traffic;
      traffic = noTraffic();
      return counted;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
