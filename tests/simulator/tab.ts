/** One tab: the real engine over the phone's storage, its network, and how it may die at any step. */
import { IDBKeyRange } from 'fake-indexeddb';
import type { ChangeAction } from '../../src/domain/change.ts';
import type { WeftDatabase } from '../../src/db/database.ts';
import { PageEvents } from './browser.ts';
import type { Actor, Lane } from './clock.ts';
import type { Phone } from './phone.ts';

export const SHOP_URL = 'https://shop.weft.test';
const KEY = 'sb_publishable_simulated';

export class Tab implements Actor {
  isDead = false;
  readonly name: string;
  readonly phone: Phone;
  readonly page = new PageEvents();
  readonly transactions = new Set<IDBTransaction>();
  readonly lane: Lane;
  readonly hasLocks: boolean;
  /** The tab dies when so many more steps have begun. */
  stepsToLive = Infinity;
  /** Whom realtime rings for. */
  doorbell: { readonly uid: string; readonly ring: () => void } | null = null;
  #db: WeftDatabase | null = null;
  #signIn: ((session: string) => Promise<void>) | null = null;
  #stop: (() => void) | null = null;

  constructor(phone: Phone, name: string, hasLocks: boolean) {
    this.phone = phone;
    this.name = name;
    this.lane = phone.lane;
    this.hasLocks = hasLocks;
  }

  /** What `navigator.locks` is here; nothing in a browser without them. */
  get locks(): unknown {
    if (!this.hasLocks) return undefined;
    const request = (
      name: string,
      options: { signal?: AbortSignal },
      work: () => unknown,
    ): Promise<unknown> => this.phone.locks.request(this, name, options, work);
    return { request };
  }

  get isReady(): boolean {
    return this.#stop !== null && !this.isDead;
  }

  /** As the page starts: the database, the session that is stored, the sync. */
  async open(): Promise<void> {
    const { engine, world } = this.phone;
    const db = new engine.WeftDatabase({
      indexedDB: this.phone.storage.factoryFor(this),
      IDBKeyRange,
    });
    Object.defineProperty(db, 'name', { value: this.phone.storage.name });
    this.#db = db;
    await db.open();
    const store = engine.sessionStore(() => db);
    this.#signIn = (session) => store.setItem(store.key, session);
    if ((await store.getItem(store.key)) === null) await store.removeItem(store.key);
    if (this.isDead) return;
    const fetch = world.network.fetchFor(this);
    const now = () => world.clock.nowMs;
    const locks = this.locks as LockManager | undefined; // as much of it as the engine uses
    const renew = engine.refresher({ url: SHOP_URL, key: KEY, store, fetch, now, locks });
    const tokens = engine.tokenSource(store, renew, now);
    const remote = engine.shopperRemote({ url: SHOP_URL, key: KEY, fetch }, tokens);
    const doorbell = {
      answerFor: (uid: string, ring: () => void) => this.#answerFor(uid, ring),
      silence: () => {
        this.doorbell = null;
      },
    };
    this.#stop = engine.syncShopper(db, remote, doorbell, (error) => {
      if (!this.isDead) world.verdicts.break(4, `storage fails in ${this.name}: ${String(error)}`);
    });
  }

  /**
   * The tab is gone between two steps: nothing that it began ends, but what it has sent is on its
   * way. Its code may still run for a while and reaches nothing any more.
   */
  die(): void {
    if (this.isDead) return;
    this.isDead = true;
    this.doorbell = null;
    for (const transaction of this.transactions) {
      // One that is committing is beyond recall.
      if ((transaction as unknown as { _state: string })._state === 'committing') continue;
      transaction.abort();
    }
    this.#db?.close();
    this.phone.locks.release(this);
    this.phone.world.asActor(this, () => this.#stop?.());
  }

  /** A step of the engine begins: a task of its storage, or an answer from the network. */
  taskBegins(): void {
    this.phone.world.clock.actor = this;
    if (this.isDead || this.stepsToLive === Infinity) return;
    this.stepsToLive -= 1;
    if (this.stepsToLive > 0) return;
    this.phone.world.verdicts.fault('tab crashed between two steps');
    this.phone.world.verdicts.say(`${this.name} crashes`);
    this.die();
  }

  /** Adds to the outbox as a tap does. */
  async tap(uid: string, actions: readonly ChangeAction[]): Promise<void> {
    const { world, storage, engine } = this.phone;
    if (!this.#db) return;
    const ids: string[] = [];
    const newId = () => {
      const id = world.chance.uuid();
      ids.push(id);
      return id;
    };
    const now = () => new Date(world.clock.nowMs);
    const isDone = await engine.enqueue(this.#db, uid, actions, { newId, now });
    if (this.isDead) return;
    const isDurable =
      ids.length > 0 &&
      ids.every((id) => storage.made.some((made) => made.id === id && made.uid === uid));
    if (isDone !== isDurable) {
      world.verdicts.break(1, `a tap in ${this.name} says ${isDone}, and durable is ${isDurable}`);
    }
  }

  async signIn(session: string): Promise<void> {
    await this.#signIn?.(session);
  }

  async logOut(): Promise<void> {
    const { engine } = this.phone;
    if (this.#db) await engine.forgetShopper(this.#db, engine.forgetShopperData);
  }

  /** Reads what a screen shows, in one transaction as screens do. */
  async look(): Promise<void> {
    const { engine } = this.phone;
    if (!this.#db) return;
    const state = await engine.readShopperState(this.#db);
    if (state && !this.isDead) this.phone.checkShown(state.shopper.uid, state.base, state.pending);
  }

  /** Asks once more for everything that was refused. */
  async askAgain(): Promise<void> {
    const { world, engine, storage } = this.phone;
    const making = { newId: world.chance.uuid, now: () => new Date(world.clock.nowMs) };
    for (const { id } of storage.durable.refused) {
      if (this.#db && !this.isDead) await engine.askAgain(this.#db, id, making);
    }
  }

  async dismissRefused(): Promise<void> {
    const { engine, storage } = this.phone;
    const ids = storage.durable.refused.map(({ id }) => id);
    if (this.#db) await engine.dismissRefused(this.#db, ids);
  }

  #answerFor(uid: string, ring: () => void): void {
    if (this.isDead || this.doorbell?.uid === uid) return;
    this.doorbell = { uid, ring };
    // Joined: what happened before is pulled.
    this.phone.world.ring(this);
  }
}
