/**
 * The IndexedDB of one phone: what is durable in it after each transaction, every state checked as
 * it comes, and putting it back to an earlier one.
 *
 * A transaction's completion is seen where the fake IndexedDB announces it, before any engine code
 * hears of it. So a change counts as made from the moment it is durable, not when somebody was told.
 */
import { IDBFactory } from 'fake-indexeddb';
import type { Change } from '../../src/domain/change.ts';
import type { MetaRow, OutboxRow, RefusedRow, ShopperBase } from '../../src/db/database.ts';
import type { Tab } from './tab.ts';

/** A change that has been durable on a phone. */
export interface Made {
  readonly id: string;
  readonly uid: string;
  readonly phone: string;
  readonly change: Change;
  /** Its place in the order in which the phone's changes were made. */
  readonly place: number;
  /** The storage has gone back to a time before it. */
  isTakenAway: boolean;
}

/** The stores that matter, as they are once a transaction has completed. */
export interface Durable {
  readonly meta: readonly MetaRow[];
  readonly session: readonly { readonly key: string; readonly value: string }[];
  readonly bases: readonly ShopperBase[];
  readonly outbox: readonly OutboxRow[];
  readonly refused: readonly RefusedRow[];
}

const STORES = ['meta', 'session', 'bases', 'outbox', 'refused'] as const;
const EMPTY: Durable = { meta: [], session: [], bases: [], outbox: [], refused: [] };

export interface Snapshot {
  readonly durable: Durable;
  readonly nextSeq: number;
  readonly madeCount: number;
}

/** What fake-indexeddb keeps behind its surface; instances only, nothing is patched. */
interface RawStore {
  readonly records: { values(): Iterable<{ value: unknown }> };
  readonly keyGenerator: { num: number } | null;
  storeRecord(record: { key: unknown; value: unknown }, noOverwrite: boolean): void;
}
type RawTransaction = IDBTransaction & { _start(): void; _state: string };
type RawConnection = Omit<IDBDatabase, 'transaction'> & {
  transaction(...args: unknown[]): RawTransaction;
  readonly _rawDatabase: { readonly rawObjectStores: ReadonlyMap<string, RawStore> };
};

const KEPT_SNAPSHOTS = 60;

export class PhoneStorage {
  /** Dexie goes by the name of a database to tell tabs of it: each phone's is its own. */
  name: string;
  durable = EMPTY;
  readonly made: Made[] = [];
  /** Earlier states, oldest first. */
  snapshots: Snapshot[] = [{ durable: EMPTY, nextSeq: 0, madeCount: 0 }];
  #factory = new IDBFactory();
  #raw: ReadonlyMap<string, RawStore> | null = null;
  #phone: string;
  #restored = 0;
  #onCommit: (before: Durable) => void;
  #note: (made: Made) => void;

  constructor(
    name: string,
    phone: string,
    note: (made: Made) => void,
    onCommit: (before: Durable) => void,
  ) {
    this.name = name;
    this.#phone = phone;
    this.#note = note;
    this.#onCommit = onCommit;
  }

  /** The factory as one tab has it. */
  factoryFor(tab: Tab): IDBFactory {
    const factory = this.#factory;
    const open = (name: string, version?: number) => {
      const request = factory.open(name, version);
      request.addEventListener('success', () => {
        if (tab.isDead || factory !== this.#factory) return;
        this.#attach(tab, request.result as unknown as RawConnection);
      });
      return request;
    };
    return Object.create(factory, { open: { value: open } }) as IDBFactory;
  }

  /** Forgets everything since the snapshot; the tabs must be closed. */
  restore(snapshot: Snapshot): readonly Made[] {
    this.snapshots = this.snapshots.slice(0, this.snapshots.indexOf(snapshot) + 1);
    this.durable = snapshot.durable;
    const gone = this.made.slice(snapshot.madeCount).filter(({ isTakenAway }) => !isTakenAway);
    for (const made of gone) made.isTakenAway = true;
    // A new database under a new name: nothing that a library holds in memory may outlive it.
    this.#restored += 1;
    this.name = `${this.name.split(' ')[0]} ${this.#restored}`;
    this.#factory = new IDBFactory();
    this.#raw = null;
    return gone;
  }

  #attach(tab: Tab, connection: RawConnection): void {
    if (!this.#raw) this.#fill(connection._rawDatabase.rawObjectStores);
    const begin = connection.transaction.bind(connection);
    connection.transaction = (...args) => {
      const transaction = begin(...args);
      tab.transactions.add(transaction);
      transaction.addEventListener('abort', () => tab.transactions.delete(transaction));
      transaction.addEventListener('complete', () => {
        tab.transactions.delete(transaction);
        if (transaction.mode === 'readwrite') this.#committed(transaction);
      });
      const start = transaction._start.bind(transaction);
      transaction._start = () => {
        tab.taskBegins();
        start();
      };
      return transaction;
    };
  }

  /** Into a new database, what the snapshot says was in the old. */
  #fill(raw: ReadonlyMap<string, RawStore>): void {
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

  #committed(transaction: IDBTransaction): void {
    const before = this.durable;
    const scope = STORES.filter((store) => transaction.objectStoreNames.contains(store));
    const rows = scope.map((store) => [store, this.#rowsOf(store)]);
    this.durable = { ...before, ...(Object.fromEntries(rows) as Partial<Durable>) };
    this.#noteMade();
    this.#onCommit(before);
    const nextSeq = this.#raw?.get('outbox')?.keyGenerator?.num ?? 0;
    this.snapshots.push({ durable: this.durable, nextSeq, madeCount: this.made.length });
    if (this.snapshots.length > KEPT_SNAPSHOTS) this.snapshots.shift();
  }

  #rowsOf(store: string): unknown[] {
    const records = this.#raw?.get(store)?.records.values() ?? [];
    return Array.from(records, ({ value }) => value);
  }

  #noteMade(): void {
    const known = new Set(this.made.map(({ id }) => id));
    for (const { id, uid, change } of this.durable.outbox) {
      if (known.has(id)) continue;
      const place = this.made.length;
      const made: Made = { id, uid, phone: this.#phone, change, place, isTakenAway: false };
      this.made.push(made);
      this.#note(made);
    }
  }
}
