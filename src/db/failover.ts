/**
 * Where this page keeps its data: the device, and memory as the last resort.
 *
 * One passing fault does not give the device up. What fails is tried once more over a connection that
 * was opened anew; only if that fails too the page goes on in memory, with what can be read of the
 * device or was read of it before. From then on the device is asked again, in pauses that double. When
 * it answers, what was done in memory is carried back (`carry-back.ts`) and the device is home again.
 *
 * The catalogue has a home of its own. It leaves a device that is full before anything that a person
 * did would have to, and comes back only with the next page.
 */
import {
  ANSWER_MS,
  canBeRead,
  carryBack,
  fill,
  readRows,
  type Rows,
  withoutShopper,
} from './carry-back.ts';
import { CatalogueHome } from './catalogue-home.ts';
import { type Databases, WeftDatabase } from './database.ts';
import { forgetShopper } from './identity.ts';
import { isFull, isReopened, isStorageFailure, openInMemory, reopen, withTimeout } from './open.ts';
import { pause } from './pause.ts';
import { hintedShopper } from './shopper-hint.ts';
import { forgetShopperData, readShopper } from './shopper-log.ts';

/** A device that opens later than this is waited for while the page goes on in memory. */
const OPEN_PATIENCE_MS = 2000;
/** Then a device that may know a shopper counts as one that does not: somebody may want to sign in. */
const SHOPPER_PATIENCE_MS = 10_000;
const FIRST_PAUSE_MS = 1000;
const LAST_PAUSE_MS = 60_000;

export class Failover {
  #device = new WeftDatabase();
  #memory: WeftDatabase | null = null;
  #openingMemory: Promise<WeftDatabase> | null = null;
  #isInMemory = false;
  #isShopperKnown = true;
  /** What memory was filled with; null when nothing was ever read. */
  #taken: Rows | null = null;
  /** What was last read of the device. */
  #seen: Rows | null = null;
  #renewing: Promise<boolean> | null = null;
  #leaving: Promise<void> | null = null;
  #returning: Promise<void> | null = null;
  #writes = new Set<Promise<unknown>>();
  #catalogue = new CatalogueHome(
    this.#device,
    () => this.#inMemory(),
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
      // What is late is on its way.
      () => hasFailed && isReopened(this.#device),
    );
    if (isOpen) this.#announce();
    else await this.#leave(opening);
  }

  /**
   * What memory would have to go on with if the device could not be read any more; null once nobody
   * is signed in.
   */
  remember(rows: Rows | null): void {
    if (!this.#isInMemory) this.#seen = rows;
  }

  /**
   * Writes something that a person did. A storage that fails is opened anew, and given room, for a
   * second attempt.
   * @throws what the second attempt throws, in memory by then; and any error that is not the storage's
   */
  async write<T>(work: (db: WeftDatabase) => Promise<T>): Promise<T> {
    try {
      return await this.#attempt(work);
    } catch (error) {
      if (!isStorageFailure(error)) throw error;
      if (isFull(error)) await this.#catalogue.makeRoom();
      await this.#renew();
      return this.#attempt(work).catch(async (again: unknown) => {
        if (isStorageFailure(again)) await this.#leave();
        throw again;
      });
    }
  }

  /** The same for what must be kept if only in memory: a session that was renewed, a logout. */
  keep<T>(work: (db: WeftDatabase) => Promise<T>): Promise<T> {
    return this.write(work).catch((error: unknown) => {
      if (!isStorageFailure(error)) throw error;
      return this.#attempt(work);
    });
  }

  /**
   * After a failure in the background. The work is tried again by itself; here the device is only
   * asked whether it can be read at all. What is not the storage's is reported: a bug, or a record
   * that is damaged (Chromium's `DataError`), and then the same question decides.
   */
  async recoverFrom(error: unknown): Promise<void> {
    const isStorages = isStorageFailure(error);
    if (!isStorages) reportError(error);
    // Room is made for what a person does, and only then.
    if (this.#isInMemory || isFull(error)) return;
    if (!isStorages && (await canBeRead(this.#device))) return;
    if (!(await this.#renew())) await this.#leave();
  }

  /** The same for the catalogue, which never moves anything but itself. */
  async recoverCatalogueFrom(error: unknown): Promise<void> {
    if (!isStorageFailure(error)) reportError(error);
    else if (!this.#isInMemory) await this.#catalogue.recoverFrom(error, () => this.#renew());
  }

  /** The catalogue goes on from the network, in memory, until the device has answered. */
  async loadCatalogueMeanwhile(): Promise<void> {
    if (!this.#isInMemory) await this.#catalogue.leaveUntilItAnswers();
  }

  /**
   * Another tab says that another shopper, or none, is signed in now. In memory the shopper before
   * goes, but for what is not saved; the device says who it is now, once it answers.
   */
  async forgetAllBut(uid: string | null): Promise<void> {
    await this.#leaving;
    if (!this.#isInMemory) {
      // Should the device fail before it is read again, memory begins without the shopper before.
      if (uid === null || !this.#seen?.bases.has(uid)) this.#seen = null;
      return;
    }
    const memory = await this.#inMemory();
    const shopper = await readShopper(memory);
    if (!shopper || shopper.uid === uid) return;
    await forgetShopper(memory, forgetShopperData);
    this.#taken &&= withoutShopper(this.#taken);
  }

  async #attempt<T>(work: (db: WeftDatabase) => Promise<T>): Promise<T> {
    await this.#leaving;
    await this.#returning;
    const db = this.#isInMemory ? await this.#inMemory() : this.#device;
    const writing = work(db);
    this.#writes.add(writing);
    return writing.finally(() => this.#writes.delete(writing));
  }

  /** Opens the device anew, once for all who ask at the same time. Whether it can be read then. */
  #renew(): Promise<boolean> {
    this.#renewing ??= this.#isInMemory
      ? Promise.resolve(true)
      : reopen(this.#device)
          .then(() => canBeRead(this.#device))
          .catch(() => false)
          .finally(() => {
            this.#renewing = null;
          });
    return this.#renewing;
  }

  /** @param opening the device is on its way: it is waited for before it is asked again */
  #leave(opening?: Promise<unknown>): Promise<void> {
    if (this.#isInMemory) return Promise.resolve();
    this.#leaving ??= this.#moveToMemory(opening).finally(() => {
      this.#leaving = null;
    });
    return this.#leaving;
  }

  async #moveToMemory(opening?: Promise<unknown>): Promise<void> {
    const memory = await this.#inMemory();
    const read = opening
      ? null
      : await withTimeout(readRows(this.#device), ANSWER_MS).catch(() => null);
    this.#taken = read ?? this.#seen;
    await fill(memory, this.#taken);
    if (!opening) await this.#catalogue.copyToMemory();
    this.#isInMemory = true;
    this.#isShopperKnown = this.#taken !== null || hintedShopper() === null;
    this.#announce();
    void this.#askAgain(opening);
    if (this.#isShopperKnown) return;
    setTimeout(() => {
      if (this.#isShopperKnown) return;
      this.#isShopperKnown = true;
      this.#announce();
    }, SHOPPER_PATIENCE_MS);
  }

  async #askAgain(opening?: Promise<unknown>): Promise<void> {
    await opening?.catch(() => undefined);
    let pauseMs = opening ? 0 : FIRST_PAUSE_MS;
    while (this.#isInMemory) {
      if (pauseMs > 0) await pause(pauseMs);
      pauseMs = Math.min(LAST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, 2 * pauseMs));
      if (this.#device.isOpen() || (await isReopened(this.#device))) await this.#comeBack();
    }
  }

  /** Nothing is written to memory between looking at it and the device being home again. */
  async #comeBack(): Promise<void> {
    const memory = await this.#inMemory();
    await Promise.allSettled(this.#writes);
    this.#returning = (async () => {
      await Promise.allSettled(this.#writes);
      await withTimeout(carryBack(this.#device, this.#taken, await readRows(memory)), ANSWER_MS);
      this.#isInMemory = false;
      this.#isShopperKnown = true;
      this.#taken = null;
      await fill(memory, null);
    })().catch(() => this.#device.close({ disableAutoOpen: false }));
    await this.#returning;
    this.#returning = null;
    if (!this.#isInMemory) this.#announce();
  }

  /** One for all who ask while it opens: what one fills, the other works with. */
  async #inMemory(): Promise<WeftDatabase> {
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
