/**
 * A proxy between browser and server that can cut the connection at a moment in the life of a part:
 *
 * - `begun`     its request begins
 * - `half`      half of the request has gone to the server
 * - `sent`      all of it has gone to the server
 * - `answered`  the server's answer has come, and the page does not have it yet
 * - `delivered` the page has the answer
 */
import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../browser/listen.ts';

/** All moments, in their order. */
export const MOMENTS = ['begun', 'half', 'sent', 'answered', 'delivered'] as const;
/** One of `MOMENTS`. */
export type Moment = (typeof MOMENTS)[number];

/** A moment of some part: the `count`th from now on, over all parts. */
export interface Trigger {
  readonly moment: Moment;
  readonly count: number;
}

/** What `waitFor` waits for. */
interface Watch extends Trigger {
  left: number;
  readonly onReached: (release: () => void) => void;
}

const UPLOAD = 'POST /.netlify/functions/upload-csv ';

/** The proxy; `url` is where the browser opens the shop. */
export class UploadProxy {
  #server = createServer((client) => this.#connect(client));
  #shopPort: () => number;
  #sockets = new Set<Socket>();
  #isDown = false;
  #url = '';
  #watch: Watch | null = null;

  constructor(shopPort: () => number) {
    this.#shopPort = shopPort;
  }

  async open(): Promise<void> {
    this.#url = `http://localhost:${await listen(this.#server)}`;
  }

  get url(): string {
    return this.#url;
  }

  /**
   * Resolves with a function when the trigger is reached. At the moment `answered` the proxy holds the answer
   * back until that function is called. A later call of `waitFor` replaces this one.
   */
  waitFor(trigger: Trigger): Promise<() => void> {
    return new Promise((onReached) => {
      this.#watch = { ...trigger, left: trigger.count, onReached };
    });
  }

  /** Cuts every connection, and accepts none until `up`. */
  down(): void {
    this.#isDown = true;
    this.dropConnections();
  }

  /** Accepts connections again. */
  up(): void {
    this.#isDown = false;
  }

  /** Cuts every connection; new ones are accepted. */
  dropConnections(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
    this.#sockets.clear();
  }

  async close(): Promise<void> {
    this.down();
    await new Promise((done) => this.#server.close(done));
  }

  #connect(client: Socket): void {
    if (this.#isDown) {
      client.resetAndDestroy();
      return;
    }
    const shop = connect(this.#shopPort(), '127.0.0.1');
    for (const socket of [client, shop]) {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        shop.destroy();
      });
    }
    let isAnswerDue = false;
    const followUploads = uploadFollower((moment) => {
      if (moment === 'sent') isAnswerDue = true;
      void this.#reach(moment);
    });
    client.on('data', followUploads);
    client.pipe(shop);
    shop.on('data', (data) => {
      if (!isAnswerDue) {
        client.write(data);
        return;
      }
      isAnswerDue = false;
      shop.pause();
      void this.#reach('answered').then(() => {
        client.write(data);
        shop.resume();
        return this.#reach('delivered');
      });
    });
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

/**
 * Returns a listener for the bytes of one connection (HTTP/1.1, bodies with a content-length), which reports the
 * moments of uploads.
 */
function uploadFollower(onMoment: (moment: 'begun' | 'half' | 'sent') => void) {
  let head = '';
  let isUpload = false;
  let isWebSocket = false;
  let bodyBytes = 0;
  let bytesLeft = 0;

  return (data: Buffer): void => {
    let at = 0;
    while (at < data.length && !isWebSocket) {
      if (bytesLeft > 0) {
        const consumed = Math.min(bytesLeft, data.length - at);
        const half = bodyBytes / 2;
        if (isUpload && bytesLeft > half && bytesLeft - consumed <= half) onMoment('half');
        bytesLeft -= consumed;
        at += consumed;
        if (isUpload && bytesLeft === 0) onMoment('sent');
        continue;
      }
      head += data.toString('latin1', at);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const bytesAfterHead = head.length - (end + '\r\n\r\n'.length);
      at = data.length - bytesAfterHead;
      // No HTTP requests follow on this connection.
      isWebSocket = /^upgrade:/im.test(head.slice(0, end));
      isUpload = head.startsWith(UPLOAD);
      bodyBytes = Number(/^content-length: *(\d+)/im.exec(head.slice(0, end))?.[1] ?? 0);
      bytesLeft = bodyBytes;
      head = '';
      if (isUpload) onMoment('begun');
    }
  };
}
