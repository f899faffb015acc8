/**
 * Chooses the database that this page works with: the device's, or one in memory while the device fails.
 *
 * 1. An operation fails: the page reopens the device's database and tries the operation once more.
 * 2. That fails too: the page works in memory, with the rows that it can still read, or else read last.
 * 3. The page retries the device in pauses that double, up to a minute. When the device answers, the
 *    page merges the rows of memory into it (`carry-back.ts`) and works there again.
 *
 * The catalogue moves separately (`catalogue-home.ts`); on a full device it makes room for changes.
 */
import {
  canBeRead,
  carryBack,
  fill,
  readAllRows,
  ROWS_TIMEOUT_MS,
  type Rows,
  withoutShopper,
} from './carry-back.ts';
import { CatalogueHome } from './catalogue-home.ts';
import { type Databases, WeftDatabase } from './database.ts';
import { forgetShopper } from './identity.ts';
import { didSucceed, isFull, isStorageFailure, openInMemory, reopen, withTimeout } from './open.ts';
import { nextPauseMs, pause } from './pause.ts';
import { dropPictures } from './picture-cache.ts';
import { hintedShopper } from './shopper-hint.ts';
import { readShopper } from './shopper-log.ts';

/** If opening takes longer, the page works in memory meanwhile. */
const OPEN_PATIENCE_MS = 2000;
/** After this time in memory the page counts the shopper as signed out, so that the user can sign in. */
const SHOPPER_PATIENCE_MS = 10_000;

export class Failover {
  #device = new WeftDatabase();
  #memory: WeftDatabase | null = null;
  #openingMemory: Promise<WeftDatabase> | null = null;
  #isInMemory = false;
  #isShopperKnown = true;
  /** The rows that memory was filled with; null if the page never read any. */
  #ancestor: Rows | null = null;
  /** The signed-in shopper's rows as the page last read them from the device. */
  #lastRead: Rows | null = null;
  #reopening: Promise<boolean> | null = null;
  #movingToMemory: Promise<void> | null = null;
  #movingBack: Promise<void> | null = null;
  #writes = new Set<Promise<unknown>>();
  #catalogue = new CatalogueHome(
    this.#device,
    () => this.#openMemory(),
    () => this.#announce(),
  );
  #onChange: (now: Databases) => void;

  constructor(onChange: (now: Databases) => void) {
    this.#onChange = onChange;
  }

  async open(): Promise<void> {
    const opening = Promise.resolve(this.#device.open());
    let hasFailed = false;
    opening.catch(() => {
      hasFailed = true;
    });
    const isOpen = await withTimeout(opening, OPEN_PATIENCE_MS).then(
      () => true,
      // Reopens only after a failure: an opening that is merely late goes on.
      () => hasFailed && didSucceed(reopen(this.#device)),
    );
    if (isOpen) this.#announce();
    else await this.#goToMemory(opening);
  }

  /** Keeps the shopper's rows in case the device can no longer be read; null when signed out. */
  remember(rows: Rows | null): void {
    if (!this.#isInMemory) this.#lastRead = rows;
  }

  /**
   * Writes a user's action. On a full device deletes the pictures and tries again, and if that fails deletes
   * the catalogue. After any failure of the storage reopens the database and tries once more.
   * @param mayDropPictures false the second time, because the page keeps new pictures meanwhile
   * @throws the last attempt's error; after a storage failure the page works in memory by then
   */
  async write<T>(work: (db: WeftDatabase) => Promise<T>, mayDropPictures = true): Promise<T> {
    try {
      return await this.#attempt(work);
    } catch (error) {
      if (mayDropPictures && isFull(error) && (await dropPictures()))
        return this.write(work, false);
      if (!isStorageFailure(error)) throw error;
      if (isFull(error)) await this.#catalogue.makeRoom();
      await this.#reopen();
      return this.#attempt(work).catch(async (secondError: unknown) => {
        if (isStorageFailure(secondError)) await this.#goToMemory();
        throw secondError;
      });
    }
  }

  /** Like `write`, with a third attempt in memory: for a renewed session or a logout. */
  keep<T>(work: (db: WeftDatabase) => Promise<T>): Promise<T> {
    return this.write(work).catch((error: unknown) => {
      if (!isStorageFailure(error)) throw error;
      return this.#attempt(work);
    });
  }

  /**
   * Handles a failure of background work: moves to memory if the device fails. The caller repeats the
   * work. Reports errors that are not the storage's: bugs, and damaged records (Chromium's `DataError`).
   */
  async recoverFrom(error: unknown): Promise<void> {
    const isOfStorage = isStorageFailure(error);
    if (!isOfStorage) reportError(error);
    // Only `write` frees space, because a user waits for it.
    if (this.#isInMemory || isFull(error)) return;
    if (!isOfStorage && (await canBeRead(this.#device))) return;
    if (!(await this.#reopen())) await this.#goToMemory();
  }

  /** Like `recoverFrom`, but only the catalogue moves to memory. */
  async recoverCatalogueFrom(error: unknown): Promise<void> {
    if (!isStorageFailure(error)) reportError(error);
    else if (!this.#isInMemory) await this.#catalogue.recoverFrom(error, () => this.#reopen());
  }

  /** Loads the catalogue from the network into memory until the device answers. */
  async loadCatalogueMeanwhile(): Promise<void> {
    if (!this.#isInMemory) await this.#catalogue.leaveUntilItAnswers();
  }

  /**
   * Another tab reports who is signed in now (null: signed out). Removes any other shopper's data
   * from memory, except unsaved changes. The device names the new shopper once it answers.
   */
  async forgetAllBut(uid: string | null): Promise<void> {
    await this.#movingToMemory;
    if (!this.#isInMemory) {
      // If the device fails now, memory must not begin with the previous shopper.
      if (uid === null || !this.#lastRead?.bases.has(uid)) this.#lastRead = null;
      return;
    }
    const memory = await this.#openMemory();
    const shopper = await readShopper(memory);
    if (!shopper || shopper.uid === uid) return;
    await forgetShopper(memory);
    this.#ancestor &&= withoutShopper(this.#ancestor);
  }

  async #attempt<T>(work: (db: WeftDatabase) => Promise<T>): Promise<T> {
    await this.#movingToMemory;
    await this.#movingBack;
    const db = this.#isInMemory ? await this.#openMemory() : this.#device;
    const writing = work(db);
    this.#writes.add(writing);
    return writing.finally(() => this.#writes.delete(writing));
  }

  /** Reopens the device's database, once for simultaneous calls. True if it can be read then. */
  #reopen(): Promise<boolean> {
    this.#reopening ??= this.#isInMemory
      ? Promise.resolve(true)
      : reopen(this.#device)
          .then(() => canBeRead(this.#device))
          .catch(() => false)
          .finally(() => {
            this.#reopening = null;
          });
    return this.#reopening;
  }

  /** @param opening the first opening, which is late or has failed; the retries begin after it */
  #goToMemory(opening?: Promise<unknown>): Promise<void> {
    if (this.#isInMemory) return Promise.resolve();
    this.#movingToMemory ??= this.#moveToMemory(opening).finally(() => {
      this.#movingToMemory = null;
    });
    return this.#movingToMemory;
  }

  async #moveToMemory(opening?: Promise<unknown>): Promise<void> {
    const memory = await this.#openMemory();
    const read = opening
      ? null
      : await withTimeout(readAllRows(this.#device), ROWS_TIMEOUT_MS).catch(() => null);
    this.#ancestor = read ?? this.#lastRead;
    await fill(memory, this.#ancestor);
    if (!opening) await this.#catalogue.copyToMemory();
    this.#isInMemory = true;
    this.#isShopperKnown = this.#ancestor !== null || hintedShopper() === null;
    this.#announce();
    void this.#retryDevice(opening);
    if (this.#isShopperKnown) return;
    setTimeout(() => {
      if (this.#isShopperKnown) return;
      this.#isShopperKnown = true;
      this.#announce();
    }, SHOPPER_PATIENCE_MS);
  }

  async #retryDevice(opening?: Promise<unknown>): Promise<void> {
    await opening?.catch(() => undefined);
    let pauseMs = opening ? 0 : nextPauseMs(0);
    while (this.#isInMemory) {
      if (pauseMs > 0) await pause(pauseMs);
      pauseMs = nextPauseMs(pauseMs);
      if (this.#device.isOpen() || (await didSucceed(reopen(this.#device)))) {
        await this.#moveBack();
      }
    }
  }

  /** Moves back to the device. Writes wait meanwhile, so that none is lost. */
  async #moveBack(): Promise<void> {
    const memory = await this.#openMemory();
    await Promise.allSettled(this.#writes);
    this.#movingBack = (async () => {
      await Promise.allSettled(this.#writes); // those begun meanwhile; `#attempt` holds later ones
      const ours = await readAllRows(memory);
      await withTimeout(carryBack(this.#device, this.#ancestor, ours), ROWS_TIMEOUT_MS);
      this.#isInMemory = false;
      this.#isShopperKnown = true;
      this.#ancestor = null;
      await fill(memory, null);
    })().catch(() => this.#device.close({ disableAutoOpen: false })); // `#retryDevice` opens it again
    await this.#movingBack;
    this.#movingBack = null;
    if (!this.#isInMemory) this.#announce();
  }

  /** Opens the database in memory, one for all callers. */
  async #openMemory(): Promise<WeftDatabase> {
    this.#openingMemory ??= openInMemory();
    this.#memory = await this.#openingMemory;
    return this.#memory;
  }

  #announce(): void {
    const memory = this.#memory ?? this.#device;
    this.#onChange({
      db: this.#isInMemory ? memory : this.#device,
      catalogue: this.#isInMemory || this.#catalogue.isInMemory ? memory : this.#device,
      kept: this.#isInMemory ? 'memory' : 'device',
      isFull: this.#catalogue.isDeviceFull,
      isShopperKnown: this.#isShopperKnown,
    });
  }
}
