/**
 * One IndexedDB of a phone: the device's, or one in the memory of a tab. Reads its rows after each
 * transaction, tells a listener of them, and can roll the device's database back to an earlier state.
 *
 * A change counts as stored once its transaction has completed, whatever the page showed. A change that is
 * stored in the memory of a tab counts too. When that tab ends, the change is gone unless it has reached the
 * device or the server.
 */
import type { Change } from '../../../src/domain/change.ts';
import type {
  MetaRow,
  OutboxRow,
  RejectedChange,
  ShopperBase,
  StoredChunk,
} from '../../../src/db/database.ts';
import type { SimulatedTab, Clock } from './clock.ts';
import { factoryFor, type InternalStores, newFactory, type StorageUser } from './indexed-db.ts';
import type { StorageFaults } from './storage-faults.ts';

/** A change that was once in the outbox of a phone, on the device or in a tab's memory. */
export interface StoredChange {
  readonly id: string;
  readonly uid: string;
  readonly phone: string;
  /** The database that stored it first: `DEVICE`, or the name of a tab. Order holds within one database. */
  readonly database: string;
  readonly change: Change;
  /** Its index in the order in which the phone stored its changes. */
  readonly position: number;
  /** Whether it waited in `localStorage` first, from where any tab may have moved it to the outbox. */
  readonly wasInLocalStorage: boolean;
  /** Whether the storage was rolled back to before it, or the memory that held it is gone. */
  isGoneFromPhone: boolean;
}

/** The rows of the stores that the simulator checks, after a completed transaction. */
export interface StoredRows {
  readonly meta: readonly MetaRow[];
  readonly session: readonly { readonly key: string; readonly value: string }[];
  readonly bases: readonly ShopperBase[];
  readonly outbox: readonly OutboxRow[];
  readonly rejected: readonly RejectedChange[];
  readonly chunks: readonly StoredChunk[];
}

const STORES = ['meta', 'session', 'bases', 'outbox', 'rejected', 'chunks'] as const;
const NO_ROWS: StoredRows = {
  meta: [],
  session: [],
  bases: [],
  outbox: [],
  rejected: [],
  chunks: [],
};

/** The state of a database after one of its transactions. */
export interface Snapshot {
  readonly rows: StoredRows;
  /** The last `seq` that the outbox has given to a row. */
  readonly lastSeq: number;
  /** How many changes its outbox had ever held. */
  readonly changeCount: number;
}

/** Told what a database (`DEVICE`, or the name of a tab) stores. */
export interface StorageListener {
  /** The outbox holds a change that this database has not held before. */
  changeStored(row: OutboxRow, database: string): void;
  /** A transaction that writes has completed. */
  committed(before: StoredRows, now: StoredRows, database: string): void;
}

/** Names the database on the device itself. */
export const DEVICE = 'device';
const MAX_SNAPSHOTS = 60;

export class PhoneStorage {
  rows = NO_ROWS;
  /** The last states, at most `MAX_SNAPSHOTS`, oldest first. */
  snapshots: Snapshot[] = [{ rows: NO_ROWS, lastSeq: 0, changeCount: 0 }];
  /** Ids of all changes that its outbox has ever held. */
  readonly everInOutbox = new Set<string>();
  #factory: IDBFactory;
  #clock: Clock<SimulatedTab>;
  /** Null until a tab has opened the database. */
  #stores: InternalStores | null = null;
  #name: string;
  #faults: StorageFaults | null;
  #listener: StorageListener;

  /**
   * @param name `DEVICE`, or the name of the tab in whose memory it is
   * @param faults null for a storage that never fails
   */
  constructor(
    clock: Clock<SimulatedTab>,
    name: string,
    faults: StorageFaults | null,
    listener: StorageListener,
  ) {
    this.#clock = clock;
    this.#factory = newFactory(clock);
    this.#name = name;
    this.#faults = faults;
    this.#listener = listener;
  }

  /** `indexedDB` for one tab. */
  factoryFor(tab: StorageUser): IDBFactory {
    const factory = this.#factory;
    return factoryFor(tab, factory, {
      clock: this.#clock,
      faults: this.#faults,
      // After a rollback, a closed tab may still use the database from before.
      opened: (stores) => {
        if (factory === this.#factory && !this.#stores) this.#fill(stores);
      },
      committed: (stores) => {
        if (factory === this.#factory) this.#committed(stores);
      },
    });
  }

  /**
   * Rolls the database back to one of its snapshots. The phone's tabs must be closed.
   *
   * @returns the ids of the changes that were stored since
   */
  restore(snapshot: Snapshot): readonly string[] {
    const goneIds = [...this.everInOutbox].slice(snapshot.changeCount);
    for (const id of goneIds) this.everInOutbox.delete(id);
    this.snapshots = this.snapshots.slice(0, this.snapshots.indexOf(snapshot) + 1);
    this.rows = snapshot.rows;
    this.#factory = newFactory(this.#clock);
    this.#stores = null;
    return goneIds;
  }

  /** Writes the rows of the snapshot into a database that a tab has just created. */
  #fill(stores: InternalStores): void {
    this.#stores = stores;
    const noOverwrite = true;
    for (const store of STORES) {
      for (const value of this.rows[store]) {
        const key = store === 'outbox' ? (value as OutboxRow).seq : undefined;
        stores.get(store)?.storeRecord({ key, value: structuredClone(value) }, noOverwrite);
      }
    }
    const generator = stores.get('outbox')?.keyGenerator;
    if (generator) generator.num = this.snapshots.at(-1)?.lastSeq ?? 0;
  }

  #committed(stores: readonly string[]): void {
    const before = this.rows;
    const changed = STORES.filter((store) => stores.includes(store));
    if (changed.length === 0) return;
    const rows = changed.map((store) => [store, this.#rowsOf(store)]);
    this.rows = { ...before, ...(Object.fromEntries(rows) as Partial<StoredRows>) };
    for (const row of this.rows.outbox) {
      if (this.everInOutbox.has(row.id)) continue;
      this.everInOutbox.add(row.id);
      this.#listener.changeStored(row, this.#name);
    }
    this.#listener.committed(before, this.rows, this.#name);
    const lastSeq = this.#stores?.get('outbox')?.keyGenerator?.num ?? 0;
    this.snapshots.push({ rows: this.rows, lastSeq, changeCount: this.everInOutbox.size });
    if (this.snapshots.length > MAX_SNAPSHOTS) this.snapshots.shift();
  }

  #rowsOf(store: string): unknown[] {
    const records = this.#stores?.get(store)?.records.values() ?? [];
    return Array.from(records, ({ value }) => value);
  }
}
