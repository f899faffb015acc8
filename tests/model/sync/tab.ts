/** One tab: the real page code over the phone's storage, its network, and how it may die or freeze. */
import { IDBKeyRange } from 'fake-indexeddb';
import type { Page } from './browser.ts';
import type { Lane } from './clock.ts';
import type { Environment } from './environment.ts';
import type { Failures } from './failures.ts';
import type { Weather } from './fates.ts';
import type { StorageUser } from './indexed-db.ts';
import type { Asked, Meant } from './intentions.ts';
import type { PhoneLocks } from './locks.ts';
import { type PageModules, SHOP_URL } from './page-bundle.ts';
import { type Channels, KeyValues, PageEvents } from './page-globals.ts';
import { type PageHost, simulatedDate, SimulatedResponse, type Socket } from './page-host.ts';
import type { Person } from './person.ts';
import type { Made, Storage } from './phone-storage.ts';

/** The services of a world, as far as they serve tabs. */
export interface Services {
  readonly network: { fetchFor(tab: Tab): typeof globalThis.fetch };
  readonly realtime: { socketFor(tab: Tab): Socket; forget(tab: Tab): void };
  readonly taps: { expectOpen(tab: Tab): void };
}

/** A phone, as far as its tabs need it. */
export interface TabPhone {
  readonly world: Environment & Services;
  readonly lane: Lane;
  readonly weather: Weather;
  readonly locks: PhoneLocks;
  readonly channels: Channels;
  readonly localStorage: KeyValues;
  readonly storage: Storage;
  readonly person: Person;
  readonly failures: Failures;
  readonly made: readonly Made[];
  readonly asked: Asked;
  memoryOf(tab: Tab): Storage;
  lostMemory(tab: Tab): void;
}

export class Tab implements Page, StorageUser {
  isDead = false;
  isFrozen = false;
  /** When it was last frozen, or began: what it has missed it may still be about to learn. */
  awakeSinceMs: number;
  readonly name: string;
  readonly phone: TabPhone;
  readonly page = new PageEvents();
  readonly transactions = new Set<IDBTransaction>();
  readonly connections = new Set<{ close(): void }>();
  readonly lane: Lane;
  readonly hasLocks: boolean;
  readonly sessionStorage = new KeyValues();
  readonly fetch: typeof globalThis.fetch;
  /** The database in its memory, once it has fallen back to it. */
  memory: Storage | null = null;
  /** The tab dies when so many more steps have begun. */
  stepsToLive = Infinity;
  /** Freezes for so long as soon as it is in the midst of a transaction that writes. */
  freezesForMs: number | null = null;
  /** What `+` and `-` were tapped for, until the change is stored; 0 for a set quantity. */
  readonly meant: Meant[] = [];
  notices = 0;
  modules: PageModules | null = null;
  isOpen = false;
  #device: IDBFactory | null = null;

  constructor(phone: TabPhone, name: string, hasLocks: boolean) {
    this.phone = phone;
    this.name = name;
    this.lane = phone.lane;
    this.hasLocks = hasLocks;
    this.fetch = phone.world.network.fetchFor(this);
    this.awakeSinceMs = phone.world.clock.nowMs;
  }

  /** What `navigator.locks` is here; nothing in a browser without them. */
  get locks(): unknown {
    if (!this.hasLocks) return undefined;
    const request = (
      name: string,
      ...rest: [() => unknown] | [{ signal?: AbortSignal }, () => unknown]
    ): Promise<unknown> => {
      const [options, work] = rest.length === 1 ? [{}, rest[0]] : rest;
      return this.phone.locks.request(this, name, options, work);
    };
    return { request };
  }

  get indexedDB(): IDBFactory {
    this.#device ??= this.phone.storage.factoryFor(this);
    return this.#device;
  }

  get isReady(): boolean {
    return this.isOpen && !this.isDead && !this.isFrozen;
  }

  /** Where its data is kept; null until that is known. */
  get kept(): 'device' | 'memory' | null {
    return this.modules?.connection.kept ?? null;
  }

  /** As `main.tsx` starts: the first read, then the engine. */
  async open(): Promise<void> {
    const { clock, startPage } = this.phone.world;
    this.modules = clock.as(this, () => startPage(this.#host()));
    const { fillStores, startServices, shopperStore, noticeStore, announcementStore } =
      this.modules;
    const { onLateChange, announceWaiting } = this.modules;
    for (const store of [noticeStore, announcementStore]) {
      store.subscribe(() => {
        this.notices += 1;
      });
    }
    shopperStore.subscribe(() => this.phone.person.check(this));
    // As `repeat-taps.ts` does.
    onLateChange(announceWaiting);
    this.phone.world.taps.expectOpen(this);
    const isFilled = await fillStores();
    if (!isFilled) await startServices(SHOP_URL);
    this.isOpen = true;
    if (isFilled) await startServices(SHOP_URL);
  }

  /**
   * The tab is gone between two steps: nothing that it began ends, but what it has sent is on its
   * way. Its code may still run for a while and reaches nothing any more.
   */
  die(): void {
    if (!this.isDead) this.phone.world.clock.as(this, () => this.#die());
  }

  #die(): void {
    this.isDead = true;
    for (const transaction of this.transactions) {
      // One that is committing is beyond recall.
      const state = (transaction as unknown as { _state: string })._state;
      if (state !== 'committing' && state !== 'finished') transaction.abort();
    }
    for (const connection of this.connections) connection.close();
    const { world, locks, channels } = this.phone;
    if (this.isFrozen) world.clock.thaw(this);
    world.realtime.forget(this);
    channels.forget(this);
    locks.release(this);
    this.phone.lostMemory(this);
  }

  /** A step of the engine begins: a task of its storage, or an answer from the network. */
  taskBegins(): void {
    const { clock, verdicts } = this.phone.world;
    clock.actor = this;
    if (this.isDead || this.stepsToLive === Infinity) return;
    this.stepsToLive -= 1;
    if (this.stepsToLive > 0) return;
    verdicts.fault('tab crashed between two steps');
    verdicts.say(`${this.name} crashes`);
    this.die();
  }

  /** It has written within a transaction that is not over. */
  wroteWithin(): void {
    if (this.freezesForMs === null || this.isDead) return;
    this.phone.world.verdicts.fault('tab frozen inside a transaction');
    this.freeze(this.freezesForMs);
  }

  freeze(ms: number): void {
    const { clock, verdicts } = this.phone.world;
    this.freezesForMs = null;
    this.isFrozen = true;
    verdicts.say(`${this.name} is frozen`);
    clock.after(ms, () => this.thaw(), null);
  }

  thaw(): void {
    if (!this.isFrozen || this.isDead) return;
    const { clock, verdicts } = this.phone.world;
    this.awakeSinceMs = clock.nowMs;
    verdicts.say(`${this.name} thaws`);
    clock.thaw(this);
    clock.after(0, () => this.page.fire('resume'), this);
  }

  /** An error that its code has not handled. */
  pageError(error: unknown): void {
    const { verdicts, pageErrors } = this.phone.world;
    if (this.isDead) return;
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    verdicts.say(`  ${this.name} has an unhandled error: ${text}`);
    pageErrors.push(error);
  }

  #host(): PageHost {
    const { clock, realtime, verdicts } = this.phone.world;
    const now = () => clock.nowMs;
    const log = (...words: unknown[]) => verdicts.say(`  ${this.name} says ${words.join(' ')}`);
    return {
      Date: simulatedDate(now),
      Response: SimulatedResponse,
      performance: { now },
      console: { log, warn: log, error: log, debug: log, info: log },
      IDBKeyRange,
      newMemory: () => {
        this.memory = this.phone.memoryOf(this);
        return this.memory.factoryFor(this);
      },
      realtime: () => realtime.socketFor(this),
    };
  }
}
