import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { listen } from './listen.ts';

/**
 * What the proxy does to one push or pull of a shopper's data. `duplicate` and `late-duplicate` send the
 * request to the shop a second time, at once or later.
 */
export const FAULTS = [
  'none',
  'lose-request',
  'lose-answer',
  'duplicate',
  'late-duplicate',
  'delay',
] as const;
export type Fault = (typeof FAULTS)[number];

export interface FaultyProxy {
  readonly url: string;
  /** How often each fault was injected. */
  readonly counts: Readonly<Partial<Record<Fault, number>>>;
  /** Calls `next` for each request to choose its fault. */
  setFaults(next: () => Fault): void;
  close(): Promise<void>;
}

/** After how long a late duplicate is sent to the shop. */
const LATE_DUPLICATE_MS = 700;
/** How long a delayed request waits. */
const DELAY_MS = 250;

/** An HTTP proxy to the shop that loses, delays and doubles pushes and pulls. */
export async function openFaultyProxy(target: string): Promise<FaultyProxy> {
  const port = Number(new URL(target).port);
  const counts: Partial<Record<Fault, number>> = {};
  let chooseFault: () => Fault = () => 'none';

  function forward(
    message: IncomingMessage,
    body: Buffer,
    onAnswer: (answer: IncomingMessage) => void,
  ) {
    const { method, url, headers } = message;
    const forwarded = request({ port, host: '127.0.0.1', method, path: url, headers }, onAnswer);
    forwarded.on('error', () => undefined);
    forwarded.end(body);
  }

  function forwardAndAnswer(message: IncomingMessage, body: Buffer, response: ServerResponse) {
    forward(message, body, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
  }

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of message) parts.push(part as Buffer); // no encoding is set
    const body = Buffer.concat(parts);
    const isShopperData = /\/rpc\/(push|pull)$/.test(message.url ?? '');
    const fault = isShopperData && message.method === 'POST' ? chooseFault() : 'none';
    counts[fault] = (counts[fault] ?? 0) + 1;
    const discard = (answer: IncomingMessage) => answer.resume();
    switch (fault) {
      case 'none':
        return forwardAndAnswer(message, body, response);
      case 'lose-request':
        response.destroy();
        return undefined;
      case 'lose-answer':
        return forward(message, body, (answer) => {
          answer.resume();
          response.destroy();
        });
      case 'duplicate':
        forward(message, body, discard);
        return forwardAndAnswer(message, body, response);
      case 'late-duplicate':
        setTimeout(() => forward(message, body, discard), LATE_DUPLICATE_MS);
        return forwardAndAnswer(message, body, response);
      case 'delay':
        setTimeout(() => forwardAndAnswer(message, body, response), DELAY_MS);
        return undefined;
    }
  }

  const server = createServer((message, response) => {
    handle(message, response).catch(() => response.destroy());
  });
  // Realtime's websocket is forwarded unchanged.
  server.on('upgrade', (message, client, head) => {
    const shop = connect(port, '127.0.0.1', () => {
      const headers = Object.entries(message.headers).map(
        ([name, value]) => `${name}: ${String(value)}`,
      );
      shop.write(`GET ${message.url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
      shop.write(head);
      client.pipe(shop).pipe(client);
    });
    const destroyBoth = () => [client, shop].forEach((socket) => socket.destroy());
    for (const socket of [client, shop]) socket.on('error', destroyBoth);
  });
  const ownPort = await listen(server);

  return {
    url: `http://localhost:${ownPort}`,
    counts,
    setFaults(next) {
      chooseFault = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
