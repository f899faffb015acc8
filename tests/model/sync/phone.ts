/** One phone: its storage, its tabs, its network and its shoppers' changes. */
import type { OutboxRow } from '../../../src/db/database.ts';
import type { StorageQueue } from './clock.ts';
import type { Environment } from './environment.ts';
import { UnmatchedTaps } from './expected-changes.ts';
import { FailedRequests } from './failed-requests.ts';
import type { NetworkState } from './fates.ts';
import { PhoneLocks } from './locks.ts';
import { Channels, KeyValues } from './page-globals.ts';
import { SignedInShopper } from './signed-in-shopper.ts';
import { checkCommitted } from './phone-checks.ts';
import {
  DEVICE,
  type Snapshot,
  PhoneStorage,
  type StoredChange,
  type StoredRows,
} from './phone-storage.ts';
import { StorageFaults } from './storage-faults.ts';
import { type Services, Tab, type TabPhone } from './tab.ts';

/** The key of `localStorage` under which `waiting-taps.ts` keeps the taps of pages that were left. */
const WAITING_TAPS_KEY = 'weft-waiting-taps';

export class Phone implements TabPhone {
  readonly name: string;
  readonly world: Environment & Services;
  readonly storageQueue: StorageQueue;
  readonly locks: PhoneLocks;
  readonly channels: Channels;
  /** Ids of all changes that `localStorage` has ever held. */
  readonly everInLocalStorage = new Set<string>();
  readonly localStorage = new KeyValues((key, value) => {
    if (key === WAITING_TAPS_KEY) {
      for (const id of idsOfWaiting(value)) this.everInLocalStorage.add(id);
      if (value !== null) this.world.verdicts.fault('page left with a tap that is not stored');
    }
    this.#fireStorageEvent(key, value);
  });
  readonly faults: StorageFaults;
  readonly storage: PhoneStorage;
  readonly signedIn: SignedInShopper;
  readonly failedRequests: FailedRequests;
  readonly changes: StoredChange[] = [];
  readonly unmatchedTaps = new UnmatchedTaps();
  tabs: Tab[] = [];
  networkState: NetworkState = 'good';
  #openedTabs = 0;
  #listener = {
    changeStored: (row: OutboxRow, database: string) => this.#addChange(row, database),
    committed: (before: StoredRows, now: StoredRows, database: string) =>
      checkCommitted(this, before, now, database),
  };

  constructor(world: Environment & Services, name: string) {
    this.world = world;
    this.name = name;
    this.storageQueue = { freeAtMs: 0, maxTaskMs: world.chance.pick([0.2, 1, 2, 4]) };
    this.locks = new PhoneLocks(world.clock);
    this.channels = new Channels(world.clock);
    this.faults = new StorageFaults(() => world.clock.nowMs, world.verdicts);
    this.storage = new PhoneStorage(world.clock, DEVICE, this.faults, this.#listener);
    this.signedIn = new SignedInShopper(world);
    this.failedRequests = new FailedRequests(world, name);
  }

  /** Whether taps wait in `localStorage` until the next start moves them to the outbox. */
  get hasWaitingTaps(): boolean {
    return idsOfWaiting(this.localStorage.getItem(WAITING_TAPS_KEY)).length > 0;
  }

  /** The tabs that a shopper can use. */
  get liveTabs(): readonly Tab[] {
    return this.tabs.filter((tab) => tab.isReady);
  }

  /** Live tabs that have opened a database. Before that, a tab cannot store a login or logout. */
  get tabsWithStorage(): readonly Tab[] {
    return this.liveTabs.filter(({ kept }) => kept !== null);
  }

  /** The device's row of its shopper; undefined after a logout. */
  get shopper() {
    const row = this.storage.rows.meta.find(({ key }) => key === 'shopper');
    return row?.key === 'shopper' ? row : undefined;
  }

  /** Live tabs that work on the device. */
  get tabsOnDevice(): readonly Tab[] {
    return this.liveTabs.filter(({ kept }) => kept === 'device');
  }

  /** A shopper's outbox on the device. */
  pendingOf(uid: string): readonly OutboxRow[] {
    return this.storage.rows.outbox.filter((row) => row.uid === uid);
  }

  /** @param hasLocks whether the tab's browser has Web Locks */
  openTab({ hasLocks = true } = {}): Tab {
    const tab = new Tab(this, `${this.name}${++this.#openedTabs}`, hasLocks);
    if (!hasLocks) this.world.verdicts.fault('tab without a lock');
    this.tabs.push(tab);
    this.world.runIn(tab, () => tab.open());
    return tab;
  }

  newMemoryOf(tab: Tab): PhoneStorage {
    if (!tab.isDead) {
      // Of a tab that works on the device, only the products are ever kept in memory.
      const isOfProducts = tab.kept === 'device';
      this.world.verdicts.fault(isOfProducts ? 'products in memory' : 'tab in memory');
    }
    return new PhoneStorage(this.world.clock, tab.name, null, this.#listener);
  }

  /** The phone crashes: its tabs end, and its storage is rolled back to a snapshot. */
  rollBack(snapshot: Snapshot): void {
    for (const tab of this.tabs) tab.die();
    this.tabs = [];
    this.world.oracle.rolledBackPhones.add(this.name);
    const goneIds = this.storage.restore(snapshot);
    for (const id of goneIds) this.#markGone(id);
    this.signedIn.reset(this.shopper?.uid ?? null);
    this.world.verdicts.say(`${this.name} has lost ${goneIds.length} changes of its storage`);
  }

  /** Marks the changes that only the memory of this closed tab held. */
  noteLostMemory(tab: Tab): void {
    if (tab.kept !== 'memory') return;
    for (const { id } of tab.memory?.rows.outbox ?? []) {
      if (!this.storage.everInOutbox.has(id)) this.#markGone(id);
    }
  }

  /** The browser fires `storage` in all tabs except the tab that has written. */
  #fireStorageEvent(key: string, newValue: string | null): void {
    const { clock } = this.world;
    for (const tab of this.tabs) {
      if (tab === clock.tab || tab.isDead) continue;
      clock.after(1, () => tab.events.fire('storage', { key, newValue }), tab);
    }
  }

  #markGone(id: string): void {
    const change = this.world.oracle.changeWithId(id);
    if (change) change.isGoneFromPhone = true;
  }

  /** Records a change that a database of this phone has stored for the first time. */
  #addChange(row: OutboxRow, database: string): void {
    const { id, uid, change } = row;
    const known = this.world.oracle.changeWithId(id);
    if (known) {
      known.isGoneFromPhone = false;
      return;
    }
    const isDeferred = this.world.deferred.checkStored(row);
    if (!isDeferred && !this.unmatchedTaps.remove(uid, change)) {
      this.world.verdicts.break(1, `no tap asked for ${row.id}`);
    }
    const stored: StoredChange = {
      id,
      uid,
      phone: this.name,
      database,
      change,
      position: this.changes.length,
      wasInLocalStorage: this.everInLocalStorage.has(id),
      // A tab's memory may complete a transaction after the tab is gone. Then no tab holds the change.
      isGoneFromPhone:
        database !== DEVICE && this.tabs.every((each) => each.name !== database || each.isDead),
    };
    this.changes.push(stored);
    this.world.oracle.add(stored);
  }
}

/** @param text what `waiting-taps.ts` has written; null for nothing */
function idsOfWaiting(text: string | null): readonly string[] {
  const changes = JSON.parse(text ?? '[]') as readonly {
    readonly change: { readonly id: string };
  }[];
  return changes.map(({ change }) => change.id);
}
