/** What a line does to single requests: it delays them, holds one at a chosen moment, and counts. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * The moments in the life of a request, in their order:
 *
 * - `begun`     the request begins
 * - `half`      half of it has gone to the shop
 * - `sent`      all of it has gone to the shop
 * - `answered`  the shop's answer has come, and the page does not have it yet
 * - `delivered` the page has the answer
 */
export const MOMENTS = ['begun', 'half', 'sent', 'answered', 'delivered'] as const;
export type Moment = (typeof MOMENTS)[number];

/** A moment of some request: the `count`th from now on, over all requests. */
export interface Trigger {
  readonly moment: Moment;
  readonly count: number;
}

/** What was counted of the shop's responses. */
export interface Traffic {
  readonly requests: number;
  /** Response bodies, still compressed, without the framing of chunks. */
  readonly bodyBytes: number;
  /** Response status lines and headers. */
  readonly headerBytes: number;
}

/** Which requests have faults. */
export interface FaultOptions {
  /** The addresses whose requests have faults and moments; the line forwards others. */
  readonly url: RegExp;
  /** Changes the headers of such a request. */
  readonly change?: (message: IncomingMessage) => void;
  /** How long such a request waits; none by default. */
  readonly delayMs?: number;
}

/**
 * Requests gzip whatever the client accepts, because every browser receives gzip. The benches compare the bytes with those
 * of one file of the same rows in gzip.
 */
export const GZIP_ONLY: FaultOptions = {
  url: /./,
  change({ headers }) {
    headers['accept-encoding'] = 'gzip';
  },
};

/** Gives faults to the requests of the sockets that it is handed. */
export class RequestFaults {
  #options: FaultOptions;
  #shopPort: () => number;
  #traffic = noTraffic();
  #watch: { moment: Moment; left: number; onReached: (release: () => void) => void } | null = null;
  #server = createServer((message, response) => {
    this.#handle(message, response).catch(() => response.destroy());
  });

  constructor(shopPort: () => number, options: FaultOptions) {
    this.#shopPort = shopPort;
    this.#options = options;
    this.#server.on('upgrade', (message, client: Socket, head) => {
      this.#forwardWebSocket(message, client, head);
    });
  }

  /** Reads requests from this socket from now on. */
  take(client: Socket): void {
    this.#server.emit('connection', client);
  }

  /**
   * Resolves with a function when the trigger is reached. At the moment `answered` the answer is held back until that
   * function is called. A later call of `waitFor` replaces this one.
   */
  waitFor({ moment, count }: Trigger): Promise<() => void> {
    return new Promise((onReached) => {
      this.#watch = { moment, left: count, onReached };
    });
  }

  trafficSinceLastCall(): Traffic {
    const counted = this.#traffic;
    this.#traffic = noTraffic();
    return counted;
  }

  async #handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#traffic.requests += 1;
    const { url, change, delayMs = 0 } = this.#options;
    if (!url.test(message.url ?? '')) {
      this.#forward(message, null, (answer) => this.#answer(answer, response), response);
      return;
    }
    void this.#reach('begun');
    const parts: Buffer[] = [];
    for await (const part of message) parts.push(part as Buffer); // no encoding is set
    const body = Buffer.concat(parts);
    change?.(message);
    if (delayMs > 0) await pause(delayMs);
    this.#forward(message, body, (answer) => void this.#answerLater(answer, response), response);
  }

  /**
   * Sends a request to the shop.
   *
   * @param body null for a body that has not been read
   * @param response is cut when the shop cuts the request; its client's end ends the request
   */
  #forward(
    message: IncomingMessage,
    body: Buffer | null,
    onAnswer: (answer: IncomingMessage) => void,
    response: ServerResponse,
  ): void {
    const { method, url, headers } = message;
    const port = this.#shopPort();
    const forwarded = request({ port, host: '127.0.0.1', method, path: url, headers }, onAnswer);
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    if (body === null) {
      message.pipe(forwarded);
      return;
    }
    const half = Math.ceil(body.length / 2);
    forwarded.write(body.subarray(0, half), () => {
      void this.#reach('half');
      forwarded.end(body.subarray(half), () => {
        void this.#reach('sent');
      });
    });
  }

  async #answerLater(answer: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#reach('answered');
    response.on('finish', () => void this.#reach('delivered'));
    this.#answer(answer, response);
  }

  #answer(answer: IncomingMessage, response: ServerResponse): void {
    const lines = answer.rawHeaders.length / 2;
    const status = `HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\n`;
    // Each line has a colon, a space and a line end; an empty line ends the head.
    this.#traffic.headerBytes += status.length + answer.rawHeaders.join('').length + 4 * lines + 2;
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.on('data', (bytes: Buffer) => (this.#traffic.bodyBytes += bytes.length));
    answer.on('error', () => response.destroy());
    answer.pipe(response);
  }

  /** Realtime's websocket is forwarded unchanged. */
  #forwardWebSocket(message: IncomingMessage, client: Socket, head: Buffer): void {
    const { method, url, rawHeaders } = message;
    const shop = connect(this.#shopPort(), '127.0.0.1');
    // `rawHeaders` holds names and values in turns.
    const lines = rawHeaders.flatMap((name, i) => (i % 2 ? [] : [`${name}: ${rawHeaders[i + 1]}`]));
    shop.write(`${method} ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    shop.write(head);
    client.pipe(shop).pipe(client);
    shop.on('error', () => client.destroy());
    client.on('close', () => shop.destroy());
  }

  /** Counts a moment. Resolves when the caller of `waitFor` releases it, or at once if no trigger is reached. */
  async #reach(moment: Moment): Promise<void> {
    const watch = this.#watch;
    if (watch?.moment !== moment) return;
    watch.left -= 1;
    if (watch.left > 0) return;
    this.#watch = null;
    await new Promise<void>((release) => watch.onReached(release));
  }
}

function noTraffic() {
  return { requests: 0, bodyBytes: 0, headerBytes: 0 };
}
