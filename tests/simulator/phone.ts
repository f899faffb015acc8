/** One phone: its storage, its tabs and the weather at its antenna; and what it may show. */
import type { OutboxRow, ShopperBase } from '../../src/db/database.ts';
import { foldChanges, NOTHING } from '../../src/domain/change.ts';
import type { Lane } from './clock.ts';
import type { Engine } from './engine.ts';
import { shapeOf } from './ledger.ts';
import { PhoneLocks } from './locks.ts';
import type { Weather } from './network.ts';
import { type Durable, PhoneStorage, type Snapshot } from './phone-storage.ts';
import { Tab } from './tab.ts';
import type { World } from './world.ts';

export class Phone {
  readonly name: string;
  readonly world: World;
  readonly engine: Engine;
  readonly lane: Lane;
  readonly locks: PhoneLocks;
  readonly storage: PhoneStorage;
  tabs: Tab[] = [];
  weather: Weather = 'good';
  #opened = 0;

  constructor(world: World, name: string) {
    this.world = world;
    this.name = name;
    this.engine = world.engine;
    this.lane = { freeAtMs: 0, slowestMs: world.chance.pick([0.2, 2, 2, 12]) };
    this.locks = new PhoneLocks(world.clock);
    this.storage = new PhoneStorage(
      `weft-${world.id}-${name}`,
      name,
      (made) => world.ledger.note(made),
      (before) => this.#check(before),
    );
  }

  get liveTabs(): readonly Tab[] {
    return this.tabs.filter((tab) => tab.isReady);
  }

  get shopper() {
    const row = this.storage.durable.meta.find(({ key }) => key === 'shopper');
    return row?.key === 'shopper' ? row : undefined;
  }

  pendingOf(uid: string): readonly OutboxRow[] {
    return this.storage.durable.outbox.filter((row) => row.uid === uid);
  }

  openTab(hasLocks = true): Tab {
    const tab = new Tab(this, `${this.name}${++this.#opened}`, hasLocks);
    if (!hasLocks) this.world.verdicts.fault('tab without a lock');
    this.tabs.push(tab);
    this.world.begin(tab, () => tab.open());
    return tab;
  }

  /** The machine fails, and what it had not truly written is gone. */
  rollBack(snapshot: Snapshot): void {
    for (const tab of this.tabs) tab.die();
    this.tabs = [];
    const gone = this.storage.restore(snapshot);
    this.world.verdicts.say(`${this.name} has lost ${gone.length} changes of its storage`);
  }

  /** What is shown must be the base with exactly those own changes that are not yet in it. */
  checkShown(uid: string, base: ShopperBase | undefined, pending: readonly OutboxRow[]): void {
    const { ledger, verdicts } = this.world;
    verdicts.states += 1;
    const known = base ? ledger.stateAt(uid, base.ver) : NOTHING;
    if (!known) {
      verdicts.break(5, `${this.name} has a base at ${base?.ver}, which never was`);
      return;
    }
    if (base && JSON.stringify([base.cart, base.favourites]) !== jsonOf(known)) {
      const text = `${shapeOf(base)}, and it was ${shapeOf(known)}`;
      verdicts.break(5, `${this.name} has a base of ${uid} at ${base.ver} that is ${text}`);
      return;
    }
    const waiting = new Set(pending.map(({ id }) => id));
    const due = [];
    for (const { id, uid: owner, change, isTakenAway } of this.storage.made) {
      if (owner !== uid || isTakenAway) continue;
      const ver = ledger.applied(uid, id)?.ver;
      const isIn = ver !== undefined && (base === undefined || ver <= base.ver);
      // Without a base nothing is shown of what the server has, until the first pull.
      if (waiting.has(id) ? isIn && base !== undefined : !isIn) {
        const where = isIn ? 'both the outbox and the base' : 'neither the outbox nor the base';
        verdicts.break(5, `${this.name}: ${change.kind} ${id} is in ${where}`);
        return;
      }
      if (waiting.delete(id)) due.push(change);
    }
    if (waiting.size > 0) {
      verdicts.break(5, `${this.name} holds changes that it never made: ${[...waiting].join()}`);
      return;
    }
    const shown = this.engine.foldChanges(
      base ?? NOTHING,
      pending.map(({ change }) => change),
    );
    const expected = foldChanges(known, due);
    if (shapeOf(shown) !== shapeOf(expected)) {
      const text = `${shapeOf(shown)} instead of ${shapeOf(expected)}`;
      verdicts.break(5, `${this.name} shows ${text}`);
    }
  }

  /** Whenever a transaction has completed. */
  #check(before: Durable): void {
    const { bases, outbox, refused } = this.storage.durable;
    const { ledger, verdicts } = this.world;
    if (bases === before.bases && outbox === before.outbox && refused === before.refused) return;
    const left = new Set(outbox.map(({ id }) => id));
    for (const { id, uid } of before.outbox) {
      if (left.has(id)) continue;
      const wasRefused = ledger.applied(uid, id)?.outcome === 'rejected';
      if (wasRefused && !refused.some((row) => row.id === id)) {
        verdicts.break(5, `${this.name}: ${id} was refused and is nowhere to be seen`);
      }
    }
    const users = new Set([...outbox, ...before.outbox, ...bases].map(({ uid }) => uid));
    for (const uid of users) {
      this.checkShown(
        uid,
        bases.find((base) => base.uid === uid),
        this.pendingOf(uid),
      );
    }
  }
}

function jsonOf({ cart, favourites }: { cart: unknown; favourites: unknown }): string {
  return JSON.stringify([cart, favourites]);
}
