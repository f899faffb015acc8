/** Where the catalogue is, apart from what a shopper does: see `failover.ts`. */
import { encodeChunk } from '../domain/catalogue-chunk.ts';
import { forgetCatalogue } from './catalogue-log.ts';
import { dropUnfinished, readLog, writeLog } from './catalogue-move.ts';
import type { WeftDatabase } from './database.ts';
import { isFull, withTimeout } from './open.ts';
import { pause } from './pause.ts';

const COPY_MS = 4000;
/** One failure may pass; so many in a row mean that the device's catalogue is of no use. */
const MOST_FAILURES = 2;
const FIRST_PAUSE_MS = 1000;
const LAST_PAUSE_MS = 60_000;

export class CatalogueHome {
  isInMemory = false;
  /** Then it stays in memory as long as this page does. */
  isDeviceFull = false;
  #failures = 0;
  /** It never gets shorter: a device that can be written may still be unreadable. */
  #pauseMs = FIRST_PAUSE_MS;
  #device: WeftDatabase;
  #memory: () => Promise<WeftDatabase>;
  #announce: () => void;

  constructor(device: WeftDatabase, memory: () => Promise<WeftDatabase>, announce: () => void) {
    this.#device = device;
    this.#memory = memory;
    this.#announce = announce;
  }

  /** Room for what a person did: the device lets go of the catalogue, and this page keeps it. */
  async makeRoom(): Promise<void> {
    await this.#leaveFull((device) => forgetCatalogue(device));
  }

  /** @param renew opens the device anew; whether it can be read then */
  async recoverFrom(error: unknown, renew: () => Promise<boolean>): Promise<void> {
    if (this.isInMemory) return;
    // What is whole stays for the next start without a network, though it may be of yesterday.
    if (isFull(error)) return this.#leaveFull(dropUnfinished);
    this.#failures += 1;
    if ((await renew()) && this.#failures < MOST_FAILURES) {
      this.#announce();
      return;
    }
    await this.copyToMemory();
    this.isInMemory = true;
    this.#announce();
    void this.#comeBack(async () => {
      do {
        await pause(this.#pauseMs);
        this.#pauseMs = Math.min(LAST_PAUSE_MS, 2 * this.#pauseMs);
      } while (!(await this.#isWritable()));
    });
  }

  /** Without a copy: the device holds its answer back. */
  async leaveUntilItAnswers(): Promise<void> {
    if (this.isInMemory) return;
    await this.#memory();
    this.isInMemory = true;
    this.#announce();
    void this.#comeBack(() => this.#device.meta.get('catalogue'));
  }

  /** As much of it as can be read in time; the rest comes from the network. */
  async copyToMemory(): Promise<void> {
    const memory = await this.#memory();
    if (this.isInMemory) return;
    await withTimeout(readLog(this.#device), COPY_MS)
      .then((log) => writeLog(memory, log))
      .catch(() => undefined);
  }

  async #leaveFull(free: (device: WeftDatabase) => Promise<void>): Promise<void> {
    await this.copyToMemory();
    this.isInMemory = true;
    this.isDeviceFull = true;
    // What cannot be freed is in nobody's way but the shopper's, who is told.
    await withTimeout(free(this.#device), COPY_MS).catch(() => undefined);
    this.#announce();
  }

  async #comeBack(answered: () => PromiseLike<unknown>): Promise<void> {
    try {
      await answered();
    } catch {
      return; // closed meanwhile: whoever opens it again decides
    }
    if (this.isDeviceFull) return;
    this.isInMemory = false;
    this.#failures = 0;
    this.#announce();
  }

  async #isWritable(): Promise<boolean> {
    const { chunks } = this.#device;
    const probe = { ...encodeChunk([]), generation: PROBE, seq: 0 };
    try {
      await this.#device.transaction('rw', chunks, async () => {
        await chunks.put(probe);
        await chunks.delete([PROBE, 0]);
      });
      return true;
    } catch {
      return false;
    }
  }
}

/** No generation's number. */
const PROBE = -1;
