/**
 * The line between browser and shop, cut or held at moments in the life of a part: when its request
 * begins, when half or all of it has gone to the shop, when the shop's answer has come and the page
 * does not have it yet, and when the page has it.
 */
import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export const MOMENTS = ['begun', 'half', 'sent', 'answered', 'told'] as const;
export type Moment = (typeof MOMENTS)[number];

/** The `count`th time from now on, over all parts. */
export interface Trigger {
  readonly moment: Moment;
  readonly count: number;
}

interface Watch extends Trigger {
  left: number;
  readonly reached: (letGo: () => void) => void;
}

const UPLOAD = 'POST /.netlify/functions/upload-csv ';

export class WatchedLine {
  #server = createServer((client) => this.#lead(client));
  #shopPort: () => number;
  #sockets = new Set<Socket>();
  #isDown = false;
  #watch: Watch | null = null;
  /** How often each moment has come. */
  readonly seen: Record<Moment, number> = { begun: 0, half: 0, sent: 0, answered: 0, told: 0 };

  constructor(shopPort: () => number) {
    this.#shopPort = shopPort;
  }

  async open(): Promise<void> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo; // it listens on a port
    return `http://localhost:${port}`;
  }

  /**
   * Resolves when the trigger is reached. An answer is then held until the function that comes with
   * it is called. A later call takes the place of this one.
   */
  until(trigger: Trigger): Promise<() => void> {
    return new Promise((reached) => {
      this.#watch = { ...trigger, left: trigger.count, reached };
    });
  }

  /** Cuts every connection; new ones are refused until `up`. */
  down(): void {
    this.#isDown = true;
    this.drop();
  }

  up(): void {
    this.#isDown = false;
  }

  drop(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
    this.#sockets.clear();
  }

  async close(): Promise<void> {
    this.down();
    await new Promise((done) => this.#server.close(done));
  }

  #lead(client: Socket): void {
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
    let waits = false;
    const read = uploadReader((moment) => {
      if (moment === 'sent') waits = true;
      void this.#reach(moment);
    });
    client.on('data', read);
    client.pipe(shop);
    shop.on('data', (data) => {
      if (!waits) {
        client.write(data);
        return;
      }
      waits = false;
      shop.pause();
      void this.#reach('answered').then(() => {
        client.write(data);
        shop.resume();
        return this.#reach('told');
      });
    });
  }

  /** Resolves when what comes next may go on. */
  async #reach(moment: Moment): Promise<void> {
    this.seen[moment] += 1;
    const watch = this.#watch;
    if (watch?.moment !== moment) return;
    watch.left -= 1;
    if (watch.left > 0) return;
    this.#watch = null;
    await new Promise<void>((letGo) => watch.reached(letGo));
  }
}

/** Follows the requests of one connection (HTTP/1.1, bodies with a content-length). */
function uploadReader(tell: (moment: 'begun' | 'half' | 'sent') => void) {
  let head = '';
  let isUpload = false;
  let isOther = false;
  let length = 0;
  let left = 0;

  return (data: Buffer): void => {
    let at = 0;
    while (at < data.length && !isOther) {
      if (left > 0) {
        const taken = Math.min(left, data.length - at);
        if (isUpload && left > length / 2 && left - taken <= length / 2) tell('half');
        left -= taken;
        at += taken;
        if (isUpload && left === 0) tell('sent');
        continue;
      }
      head += data.toString('latin1', at);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      at = data.length - (head.length - end - 4);
      // A websocket: what follows are no requests.
      isOther = /^upgrade:/im.test(head.slice(0, end));
      isUpload = head.startsWith(UPLOAD);
      length = Number(/^content-length: *(\d+)/im.exec(head.slice(0, end))?.[1] ?? 0);
      left = length;
      head = '';
      if (isUpload) tell('begun');
    }
  };
}
