/**
 * One tab of a phone. It runs the shop's own page code (page-bundle.ts), with the phone's simulated storage and
 * network. It can crash between two steps of this code, freeze, or go to another page.
 */
import { IDBKeyRange } from 'fake-indexeddb';
import type { BrowserTab } from './browser.ts';
import type { StorageQueue } from './clock.ts';
import type { Environment } from './environment.ts';
import type { FailedRequests } from './failed-requests.ts';
import type { NetworkState } from './fates.ts';
import type { StorageUser } from './indexed-db.ts';
import type { UnmatchedTaps } from './expected-changes.ts';
import type { PhoneLocks } from './locks.ts';
import { type PageModules, SHOP_URL } from './page-bundle.ts';
import { type Channels, KeyValues, PageEvents } from './page-globals.ts';
import { type PageHost, simulatedDate, SimulatedResponse, type Socket } from './page-host.ts';
import { SignedInShopper } from './signed-in-shopper.ts';
import type { PhoneStorage, StoredChange } from './phone-storage.ts';

/** The parts of a world that tabs call. */
export interface Services {
  readonly network: { fetchFor(tab: Tab): typeof globalThis.fetch };
  /** `removeTab` closes the channels of a tab that has ended. */
  readonly realtime: { socketFor(tab: Tab): Socket; removeTab(tab: Tab): void };
  /** `expectOpen` records a violation if the tab does not open in time. */
  readonly taps: { expectOpen(tab: Tab): void };
}

/** The part of a phone that its tabs use. */
export interface TabPhone {
  readonly world: Environment & Services;
  readonly storageQueue: StorageQueue;
  readonly networkState: NetworkState;
  readonly locks: PhoneLocks;
  readonly channels: Channels;
  readonly localStorage: KeyValues;
  readonly storage: PhoneStorage;
  /** The device's row of its shopper; undefined after a logout. */
  readonly shopper: { readonly uid: string } | undefined;
  readonly signedIn: SignedInShopper;
  readonly failedRequests: FailedRequests;
  /** The changes of its shoppers, in the order in which they were first stored. */
  readonly changes: readonly StoredChange[];
  readonly unmatchedTaps: UnmatchedTaps;
  /** Ids of all changes that its `localStorage` has ever held. */
  readonly everInLocalStorage: ReadonlySet<string>;
  /** A new database in a tab's memory, to which the page falls back. */
  newMemoryOf(tab: Tab): PhoneStorage;
  /** Called when a tab ends, because its database in memory ends too. */
  noteLostMemory(tab: Tab): void;
}

export class Tab implements BrowserTab, StorageUser {
  isDead = false;
  isHidden = false;
  /** Whether the clock holds back the tab's events. `Clock.thaw` resets this. */
  isFrozen = false;
  /** When the tab was opened or last thawed. Its page may not know yet what happened before. */
  awakeSinceMs: number;
  readonly name: string;
  readonly phone: TabPhone;
  readonly events = new PageEvents();
  readonly transactions = new Set<IDBTransaction>();
  readonly connections = new Set<{ close(): void }>();
  readonly storageQueue: StorageQueue;
  readonly hasLocks: boolean;
  readonly sessionStorage = new KeyValues();
  readonly fetch: typeof globalThis.fetch;
  /** The database in the tab's memory: of all data, or of the products alone. */
  memory: PhoneStorage | null = null;
  /** The refresh tokens that this tab has exchanged for new ones. */
  readonly renewedTokens = new Set<unknown>();
  /** Who is signed in, when the page works in memory. */
  readonly #signedInHere: SignedInShopper;
  /** The tab crashes when this many more steps (`taskBegins`) have begun. */
  stepsToLive = Infinity;
  /** The tab freezes for this long at its next write in a transaction (`wroteInTransaction`); null for not at all. */
  freezesForMs: number | null = null;
  /** How many notices and announcements the page has shown. */
  noticeCount = 0;
  /** The page's code in this tab, once it has started. */
  modules: PageModules | null = null;
  /** Whether the page shows the shop. */
  isOpen = false;
  #deviceFactory: IDBFactory | null = null;

  constructor(phone: TabPhone, name: string, hasLocks: boolean) {
    this.phone = phone;
    this.name = name;
    this.storageQueue = phone.storageQueue;
    this.hasLocks = hasLocks;
    this.fetch = phone.world.network.fetchFor(this);
    this.awakeSinceMs = phone.world.clock.nowMs;
    this.#signedInHere = new SignedInShopper(phone.world);
  }

  /** Who is signed in: on the device, or in this tab's memory. */
  get signedIn(): SignedInShopper {
    return this.kept === 'memory' ? this.#signedInHere : this.phone.signedIn;
  }

  /** `navigator.locks`; undefined in a browser that lacks it. */
  get locks(): unknown {
    if (!this.hasLocks) return undefined;
    const request = (
      name: string,
      ...args: [() => unknown] | [{ signal?: AbortSignal }, () => unknown]
    ): Promise<unknown> => {
      const [options, work] = args.length === 1 ? [{}, args[0]] : args;
      return this.phone.locks.request(this, name, options, work);
    };
    return { request };
  }

  /** `indexedDB` of the device. */
  get indexedDB(): IDBFactory {
    this.#deviceFactory ??= this.phone.storage.factoryFor(this);
    return this.#deviceFactory;
  }

  /** Whether a shopper can use the tab now. */
  get isReady(): boolean {
    return this.isOpen && !this.isDead && !this.isFrozen;
  }

  /** Where the page stores its data; null until it has opened a database. */
  get kept(): 'device' | 'memory' | null {
    return this.modules?.connection.kept ?? null;
  }

  /** Starts the page as `main.tsx` does: it reads the stored data, shows the shop, and starts the sync. */
  async open(): Promise<void> {
    const { clock, startPage } = this.phone.world;
    this.modules = clock.runAs(this, () => startPage(this.#host()));
    const { shopperStore, noticeStore, announcementStore, onWait, announceWait } = this.modules;
    for (const store of [noticeStore, announcementStore]) {
      store.subscribe(() => {
        this.noticeCount += 1;
      });
    }
    shopperStore.subscribe(() => this.signedIn.checkShown(this));
    // As `repeat-taps.ts` does.
    onWait(announceWait);
    this.phone.world.taps.expectOpen(this);
    // Where `fillStores` cannot read the storage, the page shows the shop once the services have read it.
    this.isOpen = await this.modules.fillStores();
    await this.modules.startServices(SHOP_URL);
    this.isOpen = true;
  }

  /**
   * Ends the tab between two steps. Its open transactions abort. Requests that it has sent still reach the
   * server. Its code may run on for a while, without any effect.
   */
  die(): void {
    if (!this.isDead) this.phone.world.clock.runAs(this, () => this.#die());
  }

  #die(): void {
    this.isDead = true;
    this.#abortTransactions();
    for (const connection of this.connections) connection.close();
    const { world, locks, channels } = this.phone;
    // The clock runs the events that it has held back for a frozen tab; in a dead tab they do nothing.
    if (this.isFrozen) world.clock.thaw(this);
    world.realtime.removeTab(this);
    channels.removeTab(this);
    locks.release(this);
    this.phone.noteLostMemory(this);
  }

  #abortTransactions(): void {
    for (const transaction of this.transactions) {
      // fake-indexeddb keeps the state in `_state`. The browser completes a commit without the tab.
      const state = (transaction as unknown as { _state: string })._state;
      if (state !== 'committing' && state !== 'finished') transaction.abort();
    }
  }

  /** Called before each step of the page's code: a task of its storage, or an answer from the network. */
  taskBegins(): void {
    const { clock, verdicts } = this.phone.world;
    clock.tab = this; // from here on, this tab's code runs
    if (this.isDead || this.stepsToLive === Infinity) return;
    this.stepsToLive -= 1;
    if (this.stepsToLive > 0) return;
    verdicts.fault('tab crashed between two steps');
    verdicts.say(`${this.name} crashes`);
    this.die();
  }

  /** Freezes the tab where `freezesForMs` says so. Browsers freeze a page in the background at any moment. */
  wroteInTransaction(): void {
    if (this.freezesForMs === null || this.isDead) return;
    const { clock, verdicts } = this.phone.world;
    verdicts.fault('tab frozen inside a transaction');
    verdicts.say(`${this.name} is frozen`);
    clock.after(this.freezesForMs, () => this.thaw(), null);
    this.freezesForMs = null;
    this.isFrozen = true;
  }

  /**
   * The user follows a link to another page. The browser keeps this page for Back, or ends it.
   *
   * @param backAfterMs when the user comes back to the kept page; null for never, and the page ends
   */
  leave(backAfterMs: number | null): void {
    const persisted = backAfterMs !== null;
    const { clock, verdicts } = this.phone.world;
    this.events.fire('pagehide', { persisted });
    verdicts.say(`${this.name} is left`);
    if (!persisted) {
      this.die();
      return;
    }
    this.#abortTransactions(); // as `browser/abort-when-kept.ts` does
    this.isFrozen = true;
    const comeBack = () => {
      this.thaw();
      clock.after(0, () => this.events.fire('pageshow', { persisted }), this);
    };
    clock.after(backAfterMs, comeBack, null);
  }

  thaw(): void {
    if (!this.isFrozen || this.isDead) return;
    const { clock, verdicts } = this.phone.world;
    this.awakeSinceMs = clock.nowMs;
    verdicts.say(`${this.name} thaws`);
    clock.thaw(this); // runs the events that were held back
    clock.after(0, () => this.events.fire('resume'), this);
  }

  /** Records an error that the page's code has not handled. */
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
    const log = (...words: unknown[]) => verdicts.say(`  ${this.name} logs ${words.join(' ')}`);
    return {
      Date: simulatedDate(now),
      Response: SimulatedResponse,
      performance: { now },
      console: { log, warn: log, error: log, debug: log, info: log },
      IDBKeyRange,
      newMemory: () => {
        this.memory = this.phone.newMemoryOf(this);
        return this.memory.factoryFor(this);
      },
      realtime: () => realtime.socketFor(this),
    };
  }
}
