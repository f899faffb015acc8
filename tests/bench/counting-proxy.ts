import { createServer, request } from 'node:http';
import { listen } from '../browser/listen.ts';

/** What has come back through the line, as it travelled. */
export interface Traffic {
  readonly requests: number;
  /** Response bodies, still compressed, without the framing of chunks. */
  readonly bodyBytes: number;
  /** Response status lines and headers. */
  readonly headerBytes: number;
}

export interface CountingProxy {
  readonly url: string;
  /** What has travelled since this was last asked. */
  take(): Traffic;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * A line to the shop that counts. It asks for gzip whatever the client would take: what is measured
 * is then what every browser gets, and the baseline is gzip too.
 */
export async function openCountingProxy(target: string): Promise<CountingProxy> {
  const { host } = new URL(target);
  let traffic: Traffic = { requests: 0, bodyBytes: 0, headerBytes: 0 };
  const add = (more: Partial<Traffic>) => {
    traffic = {
      requests: traffic.requests + (more.requests ?? 0),
      bodyBytes: traffic.bodyBytes + (more.bodyBytes ?? 0),
      headerBytes: traffic.headerBytes + (more.headerBytes ?? 0),
    };
  };
  const server = createServer((from, to) => {
    add({ requests: 1 });
    const headers = { ...from.headers, host, 'accept-encoding': 'gzip' };
    const onward = request(new URL(from.url ?? '/', target), { method: from.method, headers });
    onward.on('response', (answer) => {
      const lines = answer.rawHeaders.length / 2;
      const status = `HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\n`;
      // Each line has a colon, a space and a line end; an empty line ends the head.
      const headerBytes = status.length + answer.rawHeaders.join('').length + 4 * lines + 2;
      add({ headerBytes });
      to.writeHead(answer.statusCode ?? 500, answer.rawHeaders);
      answer.on('data', (bytes: Buffer) => add({ bodyBytes: bytes.length }));
      answer.pipe(to);
    });
    onward.on('error', () => to.destroy());
    from.pipe(onward);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    take() {
      const taken = traffic;
      traffic = { requests: 0, bodyBytes: 0, headerBytes: 0 };
      return taken;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
