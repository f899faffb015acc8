/** One phone: its storage, its tabs and the weather at its antenna; and what it may show. */
import type { OutboxRow, ShopperBase } from '../../../src/db/database.ts';
import type { Lane } from './clock.ts';
import type { Environment } from './environment.ts';
import { Failures } from './failures.ts';
import { Asked, idsIn, takeMeant } from './intentions.ts';
import { PhoneLocks } from './locks.ts';
import type { Weather } from './fates.ts';
import { Channels, KeyValues } from './page-globals.ts';
import { Person } from './person.ts';
import { checkCommitted, checkShown } from './phone-checks.ts';
import { DEVICE, type Durable, type Made, type Snapshot, Storage } from './phone-storage.ts';
import { StorageFaults } from './storage-faults.ts';
import { type Services, Tab, type TabPhone } from './tab.ts';

/** Where `late-change.ts` keeps taps. */
const LATE = 'weft-late-changes';
/** A tab in memory goes back to a device that is well within this time. */
const BACK_MS = 90_000;

export class Phone implements TabPhone {
  readonly name: string;
  readonly world: Environment & Services;
  readonly lane: Lane;
  readonly locks: PhoneLocks;
  readonly channels: Channels;
  /** Ids of taps that were kept in `localStorage` until the outbox would have them. */
  readonly late = new Set<string>();
  readonly localStorage = new KeyValues((key, value) => {
    if (key === LATE) for (const id of idsIn(value ?? '[]')) this.late.add(id);
    this.#tellStored(key, value);
  });
  readonly faults: StorageFaults;
  readonly storage: Storage;
  readonly person: Person;
  readonly failures: Failures;
  readonly made: Made[] = [];
  readonly asked = new Asked();
  tabs: Tab[] = [];
  weather: Weather = 'good';
  #opened = 0;
  #listener = {
    made: (row: OutboxRow, home: string) => this.#noteMade(row, home),
    committed: (before: Durable, now: Durable, home: string) =>
      checkCommitted(this, before, now, home),
  };

  constructor(world: Environment & Services, name: string) {
    this.world = world;
    this.name = name;
    this.lane = { freeAtMs: 0, slowestMs: world.chance.pick([0.2, 1, 2, 4]) };
    this.locks = new PhoneLocks(world.clock);
    this.channels = new Channels(world.clock);
    this.faults = new StorageFaults(() => world.clock.nowMs, world.verdicts);
    this.storage = new Storage(world.clock, DEVICE, this.faults, this.#listener);
    this.person = new Person(world);
    this.failures = new Failures(world, name);
  }

  /** Whether taps wait beside the outbox. */
  get hasLate(): boolean {
    return idsIn(this.localStorage.getItem(LATE) ?? '[]').length > 0;
  }

  get liveTabs(): readonly Tab[] {
    return this.tabs.filter((tab) => tab.isReady);
  }

  get shopper() {
    const row = this.storage.durable.meta.find(({ key }) => key === 'shopper');
    return row?.key === 'shopper' ? row : undefined;
  }

  /** On the device, and in the memory of tabs that have fallen back to it. */
  pendingOf(uid: string): readonly OutboxRow[] {
    const memories = this.tabs.flatMap(({ memory, kept, isDead }) =>
      memory && kept === 'memory' && !isDead ? memory.durable.outbox : [],
    );
    return [...this.storage.durable.outbox, ...memories].filter((row) => row.uid === uid);
  }

  openTab(hasLocks = true): Tab {
    const tab = new Tab(this, `${this.name}${++this.#opened}`, hasLocks);
    if (!hasLocks) this.world.verdicts.fault('tab without a lock');
    this.tabs.push(tab);
    this.world.begin(tab, () => tab.open());
    return tab;
  }

  memoryOf(tab: Tab): Storage {
    if (!tab.isDead) this.world.verdicts.fault('tab falls back to memory');
    return new Storage(this.world.clock, tab.name, null, this.#listener);
  }

  /** The machine fails, and what it had not truly written is gone. */
  rollBack(snapshot: Snapshot): void {
    for (const tab of this.tabs) tab.die();
    this.tabs = [];
    const gone = this.storage.restore(snapshot);
    for (const id of gone) this.#takeAway(id);
    this.person.reset(this.shopper?.uid ?? null);
    this.world.verdicts.say(`${this.name} has lost ${gone.length} changes of its storage`);
  }

  /** A tab is gone, and with it what only its memory held. */
  lostMemory(tab: Tab): void {
    const rows = tab.memory && tab.kept === 'memory' ? tab.memory.durable.outbox : [];
    for (const { id, uid } of rows) {
      if (this.storage.known.has(id)) continue;
      this.#takeAway(id);
      if (this.world.oracle.applied(uid, id)) continue;
      const made = this.world.oracle.madeBy(id);
      const { isGood, goodSinceMs } = this.faults;
      if (!made || !isGood || made.atMs < goodSinceMs + BACK_MS) continue;
      this.world.verdicts.break(
        9,
        `${id} was kept in the memory of ${tab.name} although ${this.name} is well`,
      );
    }
  }

  /** `localStorage` tells all tabs but the one that has written. */
  #tellStored(key: string | null, newValue: string | null): void {
    const { clock } = this.world;
    for (const tab of this.tabs) {
      if (tab === clock.actor || tab.isDead) continue;
      clock.after(1, () => tab.page.fire('storage', { key, newValue }), tab);
    }
  }

  #takeAway(id: string): void {
    const made = this.world.oracle.madeBy(id);
    if (made) made.isTakenAway = true;
  }

  #noteMade(row: OutboxRow, home: string): void {
    const { id, uid, change } = row;
    const known = this.world.oracle.madeBy(id);
    if (known) {
      known.isTakenAway = false;
      return;
    }
    if (!this.asked.take(uid, change)) {
      this.world.verdicts.break(1, `${row.id} is more often made than tapped for`);
    }
    const { clock, oracle } = this.world;
    const tab = this.tabs.find((each) => each === clock.actor);
    const isLate = this.late.has(id);
    // What another tab takes in was not tapped there.
    const meant = tab && !isLate && takeMeant(tab.meant, change);
    const made: Made = {
      id,
      uid,
      phone: this.name,
      home,
      change,
      place: this.made.length,
      atMs: clock.nowMs,
      meant: (meant && meant.by) || null,
      isLate,
      // A memory that writes after its tab is gone keeps nothing.
      isTakenAway: home !== DEVICE && this.tabs.every((each) => each.name !== home || each.isDead),
    };
    this.made.push(made);
    oracle.note(made);
  }

  /** What is shown must be the base with exactly those own changes that are not yet in it. */
  checkShown(uid: string, base: ShopperBase | undefined, pending: readonly OutboxRow[]): void {
    checkShown(this, uid, base, pending);
  }
}
