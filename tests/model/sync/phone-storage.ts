/**
 * What one phone keeps: the rows that are durable in its IndexedDB after each transaction, every
 * state checked as it comes, and putting it back to an earlier one; and its `localStorage`.
 *
 * A change counts as made from the moment it is durable, not when the shopper was told. One made in the
 * memory of a tab counts too, and is gone with the tab unless it has reached the device or server.
 */
import type { Change } from '../../../src/domain/change.ts';
import type {
  MetaRow,
  OutboxRow,
  RejectedRow,
  ShopperBase,
  StoredChunk,
} from '../../../src/db/database.ts';
import type { Actor, Clock } from './clock.ts';
import { factoryFor, newFactory, type RawStores, type StorageUser } from './indexed-db.ts';
import type { StorageFaults } from './storage-faults.ts';

/** A change that has been durable on a phone, or kept in a tab's memory. */
export interface Made {
  readonly id: string;
  readonly uid: string;
  readonly phone: string;
  /** The device, or the tab in whose memory it was made: each keeps the order of its own. */
  readonly home: string;
  readonly change: Change;
  /** Its place in the order in which the phone's changes were made. */
  readonly place: number;
  readonly atMs: number;
  /** By how many `+` or `-` was to change the quantity; null for another tap. */
  readonly meant: number | null;
  /** It was kept beside the outbox for a while: any tab may have taken it in. */
  readonly isLate: boolean;
  /** The storage has gone back to a time before it, or the memory that held it is gone. */
  isTakenAway: boolean;
}

/** The stores that matter, as they are once a transaction has completed. */
export interface Durable {
  readonly meta: readonly MetaRow[];
  readonly session: readonly { readonly key: string; readonly value: string }[];
  readonly bases: readonly ShopperBase[];
  readonly outbox: readonly OutboxRow[];
  readonly refused: readonly RejectedRow[];
  readonly chunks: readonly StoredChunk[];
}

const STORES = ['meta', 'session', 'bases', 'outbox', 'refused', 'chunks'] as const;
const EMPTY: Durable = { meta: [], session: [], bases: [], outbox: [], refused: [], chunks: [] };

export interface Snapshot {
  readonly durable: Durable;
  readonly nextSeq: number;
  readonly madeCount: number;
}

/** Told what a storage has come to hold. */
export interface Listener {
  made(row: OutboxRow, home: string): void;
  committed(before: Durable, now: Durable, home: string): void;
}

/** The home of what is made on the device itself. */
export const DEVICE = 'device';
const KEPT_SNAPSHOTS = 60;

/** One IndexedDB: the device's, or that in the memory of a tab. */
export class Storage {
  durable = EMPTY;
  /** Earlier states, oldest first. */
  snapshots: Snapshot[] = [{ durable: EMPTY, nextSeq: 0, madeCount: 0 }];
  /** Ids of all rows that its outbox has ever held. */
  readonly known = new Set<string>();
  #factory: IDBFactory;
  #clock: Clock<Actor>;
  #raw: RawStores | null = null;
  #home: string;
  #faults: StorageFaults | null;
  #listener: Listener;

  constructor(clock: Clock<Actor>, home: string, faults: StorageFaults | null, listener: Listener) {
    this.#clock = clock;
    this.#factory = newFactory(clock);
    this.#home = home;
    this.#faults = faults;
    this.#listener = listener;
  }

  factoryFor(tab: StorageUser): IDBFactory {
    const factory = this.#factory;
    return factoryFor(tab, factory, {
      clock: this.#clock,
      faults: this.#faults,
      opened: (stores) => {
        if (factory === this.#factory && !this.#raw) this.#fill(stores);
      },
      committed: (stores) => {
        if (factory === this.#factory) this.#committed(stores);
      },
    });
  }

  /** Forgets everything since the snapshot; the tabs must be closed. Returns the ids that are gone. */
  restore(snapshot: Snapshot): readonly string[] {
    const gone = [...this.known].slice(snapshot.madeCount);
    for (const id of gone) this.known.delete(id);
    this.snapshots = this.snapshots.slice(0, this.snapshots.indexOf(snapshot) + 1);
    this.durable = snapshot.durable;
    this.#factory = newFactory(this.#clock);
    this.#raw = null;
    return gone;
  }

  /** Into a new database, what the snapshot says was in the old. */
  #fill(raw: RawStores): void {
    this.#raw = raw;
    for (const store of STORES) {
      for (const value of this.durable[store]) {
        const key = store === 'outbox' ? (value as OutboxRow).seq : undefined;
        raw.get(store)?.storeRecord({ key, value: structuredClone(value) }, true);
      }
    }
    const generator = raw.get('outbox')?.keyGenerator;
    if (generator) generator.num = this.snapshots.at(-1)?.nextSeq ?? 0;
  }

  #committed(stores: readonly string[]): void {
    const before = this.durable;
    const scope = STORES.filter((store) => stores.includes(store));
    if (scope.length === 0) return;
    const rows = scope.map((store) => [store, this.#rowsOf(store)]);
    this.durable = { ...before, ...(Object.fromEntries(rows) as Partial<Durable>) };
    for (const row of this.durable.outbox) {
      if (this.known.has(row.id)) continue;
      this.known.add(row.id);
      this.#listener.made(row, this.#home);
    }
    this.#listener.committed(before, this.durable, this.#home);
    const nextSeq = this.#raw?.get('outbox')?.keyGenerator?.num ?? 0;
    this.snapshots.push({ durable: this.durable, nextSeq, madeCount: this.known.size });
    if (this.snapshots.length > KEPT_SNAPSHOTS) this.snapshots.shift();
  }

  #rowsOf(store: string): unknown[] {
    const records = this.#raw?.get(store)?.records.values() ?? [];
    return Array.from(records, ({ value }) => value);
  }
}
