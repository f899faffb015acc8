/**
 * Chooses the database of the catalogue: the device's, or the one in memory (see `failover.ts`).
 *
 * - The device is full: the catalogue stays in memory until the next page load.
 * - Reading or writing the catalogue fails twice, or once and the device can then not be reopened: it stays in
 *   memory until a test write succeeds.
 * - The device does not answer: the sync loads the catalogue into memory, where it stays until the device answers.
 */
import { encodeChunk } from '../domain/catalogue-chunk.ts';
import { forgetCatalogue } from './catalogue-log.ts';
import { dropUnfinished, readLog, writeLog } from './catalogue-move.ts';
import type { WeftDatabase } from './database.ts';
import { isFull, withTimeout } from './open.ts';
import { nextPauseMs, pause } from './pause.ts';
import { dropPictures } from './picture-cache.ts';

/** Limit for copying or deleting the catalogue on the device. */
const DEVICE_TIMEOUT_MS = 4000;
/** After so many failures since the last move back, the catalogue moves to memory. */
const FAILURES_BEFORE_MOVE = 2;

export class CatalogueHome {
  isInMemory = false;
  /** True keeps the catalogue in memory as long as this page is open. */
  isDeviceFull = false;
  #failures = 0;
  /** Grows with each test write, and is never reset: a device that can be written may still be unreadable. */
  #pauseMs = 0;
  #device: WeftDatabase;
  #memory: () => Promise<WeftDatabase>;
  #announce: () => void;

  constructor(device: WeftDatabase, memory: () => Promise<WeftDatabase>, announce: () => void) {
    this.#device = device;
    this.#memory = memory;
    this.#announce = announce;
  }

  /** Frees space for a user's change: moves the catalogue to memory and deletes it on the device. */
  async makeRoom(): Promise<void> {
    await this.#leaveFullDevice(forgetCatalogue);
  }

  /**
   * Call it when reading or writing the catalogue on the device has failed.
   *
   * @param reopenDevice resolves to true if the device can be read afterwards
   */
  async recoverFrom(error: unknown, reopenDevice: () => Promise<boolean>): Promise<void> {
    if (this.isInMemory) return;
    // The sync tries again by itself. If the device is still full, its error comes here again.
    if (isFull(error) && (await dropPictures())) return;
    // Deletes only an unfinished load. A complete catalogue, even an old one, serves an offline start.
    if (isFull(error)) return this.#leaveFullDevice(dropUnfinished);
    this.#failures += 1;
    if ((await reopenDevice()) && this.#failures < FAILURES_BEFORE_MOVE) {
      this.#announce();
      return;
    }
    await this.copyToMemory();
    this.isInMemory = true;
    this.#announce();
    void this.#moveBackAfter(async () => {
      do {
        this.#pauseMs = nextPauseMs(this.#pauseMs);
        await pause(this.#pauseMs);
      } while (!(await this.#isWritable()));
    });
  }

  /** Moves to memory without a copy, and back when the device answers. */
  async leaveUntilItAnswers(): Promise<void> {
    if (this.isInMemory) return;
    await this.#memory();
    this.isInMemory = true;
    this.#announce();
    void this.#moveBackAfter(() => this.#device.meta.get('catalogue'));
  }

  /** Copies the catalogue if it can be read in time; otherwise it comes from the network. */
  async copyToMemory(): Promise<void> {
    const memory = await this.#memory();
    if (this.isInMemory) return;
    await withTimeout(readLog(this.#device), DEVICE_TIMEOUT_MS)
      .then((log) => writeLog(memory, log))
      .catch(() => undefined);
  }

  async #leaveFullDevice(deleteRows: (device: WeftDatabase) => Promise<void>): Promise<void> {
    await this.copyToMemory();
    this.isInMemory = true;
    this.isDeviceFull = true;
    // If this fails too, the next write fails, and its caller tells the shopper.
    await withTimeout(deleteRows(this.#device), DEVICE_TIMEOUT_MS).catch(() => undefined);
    this.#announce();
  }

  async #moveBackAfter(untilReady: () => PromiseLike<unknown>): Promise<void> {
    try {
      await untilReady();
    } catch {
      return; // the device was closed meanwhile; a later failure or page load decides
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

/** Generation of the test record; loads never use it. */
const PROBE = -1;
