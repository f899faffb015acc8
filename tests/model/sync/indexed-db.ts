/**
 * What stands between a tab and the IndexedDB written in JavaScript: requests and commits that fail,
 * tabs that die or freeze between two steps, and word of each transaction that has completed.
 *
 * A completion is seen where fake-indexeddb announces it, before any product code is told.
 */
import { IDBFactory } from 'fake-indexeddb';
import type { Actor, Clock } from './clock.ts';
import type { StorageFaults } from './storage-faults.ts';

/** What fake-indexeddb keeps behind its surface; instances only, nothing is patched. */
export interface RawStore {
  readonly records: { values(): Iterable<{ value: unknown }> };
  readonly keyGenerator: { num: number } | null;
  storeRecord(record: { key: unknown; value: unknown }, noOverwrite: boolean): void;
}
interface RawRequest {
  readonly request: { readonly readyState: string };
}
interface Asked {
  readonly operation: () => unknown;
  readonly source?: unknown;
}
type RawTransaction = IDBTransaction & {
  _start(): void;
  _abort(error: string | null): void;
  _execRequestAsync(asked: Asked): unknown;
  _started: boolean;
  _state: string;
  readonly _requests: readonly RawRequest[];
};
interface RawDatabase {
  readonly rawObjectStores: ReadonlyMap<string, RawStore>;
  readonly transactions: readonly RawTransaction[];
  connections: readonly unknown[];
  processTransactions: (() => void) & { isActorless?: true };
}
type RawConnection = Omit<IDBDatabase, 'transaction'> & {
  transaction(...args: unknown[]): RawTransaction;
  readonly _rawDatabase: RawDatabase;
  _closePending: boolean;
  _closed: boolean;
};

/** What each error says that the storage fails with. */
export const SIMULATED = 'simulated';

export type RawStores = ReadonlyMap<string, RawStore>;

/** A tab, as far as it uses storage. */
export interface StorageUser extends Actor {
  readonly transactions: Set<IDBTransaction>;
  readonly connections: Set<{ close(): void }>;
  /** Told before each step. */
  taskBegins(): void;
  /** Told when it has written within a transaction that is not over. */
  wroteWithin(): void;
}

export interface Watch {
  readonly clock: Clock<Actor>;
  /** Null for a storage that never fails. */
  readonly faults: StorageFaults | null;
  readonly opened: (stores: RawStores) => void;
  readonly committed: (stores: readonly string[]) => void;
}

/**
 * An IndexedDB in which each open is an event of its own. fake-indexeddb begins the next one in the
 * same turn as the last one ends, so that two tabs' code would run in one event.
 */
export function newFactory(clock: Clock<Actor>): IDBFactory {
  const queues = new Map<string, Promise<unknown>>();
  const inTurns = {
    get: (name: string) =>
      queues.get(name)?.then(() => new Promise<void>((resolve) => clock.after(0, resolve, null))),
    set: (name: string, last: Promise<unknown>) => void queues.set(name, last),
  };
  return Object.assign(new IDBFactory(), { _connectionQueues: inTurns });
}

/** The factory as one tab has it. */
export function factoryFor(tab: StorageUser, factory: IDBFactory, watch: Watch): IDBFactory {
  const { clock } = watch;
  const open = (name: string, version?: number) => {
    const error = watch.faults?.strike('open', false, []) ?? null;
    // A dead tab's open is never answered.
    if (error !== null || tab.isDead) return failedOpen(error, clock);
    const request = clock.delayed(watch.faults?.openMs ?? 0, () => factory.open(name, version));
    // Before the product's own listeners.
    for (const type of ['blocked', 'error']) {
      request.addEventListener(type, () => tab.taskBegins());
    }
    request.addEventListener('upgradeneeded', () => {
      tab.taskBegins();
      attach(tab, request.result as unknown as RawConnection, watch);
      const upgrade = request.transaction as RawTransaction;
      const start = upgrade._start.bind(upgrade);
      upgrade._start = () => {
        tab.taskBegins();
        start();
      };
    });
    request.addEventListener('success', (event) => {
      tab.taskBegins();
      const connection = request.result as unknown as RawConnection;
      attach(tab, connection, watch);
      if (!tab.isDead) return watch.opened(connection._rawDatabase.rawObjectStores);
      event.stopImmediatePropagation();
      connection.close();
    });
    return request;
  };
  return Object.create(factory, { open: { value: open } }) as IDBFactory;
}

function failedOpen(error: string | null, clock: Clock<Actor>): IDBOpenDBRequest {
  const target = new EventTarget() as IDBOpenDBRequest;
  const refusal = error === null ? null : new DOMException(SIMULATED, error);
  Object.defineProperty(target, 'error', { value: refusal });
  target.addEventListener('error', (event) => target.onerror?.(event));
  const answer = () => void target.dispatchEvent(new Event('error', { cancelable: true }));
  if (error !== null) clock.after(1, answer);
  return target;
}

/** Dexie asks for transactions from the upgrade on, which a first open begins with. */
function attach(tab: StorageUser, connection: RawConnection, watch: Watch): void {
  if (tab.connections.has(connection)) return;
  const { clock } = watch;
  const raw = connection._rawDatabase;
  if (!raw.processTransactions.isActorless) {
    // Which transaction comes next is the browser's affair: a frozen tab does not hold it up.
    const process = raw.processTransactions;
    const withoutActor = () => clock.as(null, process);
    raw.processTransactions = Object.assign(withoutActor, { isActorless: true as const });
  }
  tab.connections.add(connection);
  connection.close = () => close(connection);
  const begin = connection.transaction.bind(connection);
  connection.transaction = (...args) => {
    const stores = [args[0]].flat() as readonly string[];
    const isWrite = args[1] === 'readwrite';
    const refused = watch.faults?.strike('transaction', isWrite, stores) ?? null;
    if (refused !== null) throw new DOMException(SIMULATED, refused);
    return watched(tab, begin(...args), watch);
  };
}

/**
 * Closes once the connection's own transactions are over. fake-indexeddb asks in each task whether
 * those of all connections are: while a tab is frozen within one, its phone's storage did little else.
 */
function close(connection: RawConnection): void {
  const raw = connection._rawDatabase;
  connection._closePending = true;
  const isOwn = ({ db }: IDBTransaction) => (db as unknown) === connection;
  const left = raw.transactions.find((each) => isOwn(each) && each._state !== 'finished');
  if (left) {
    for (const type of ['complete', 'abort']) left.addEventListener(type, () => close(connection));
    return;
  }
  connection._closed = true;
  raw.connections = raw.connections.filter((each) => each !== connection);
}

function watched(
  tab: StorageUser,
  transaction: RawTransaction,
  { clock, faults, committed }: Watch,
) {
  const isWrite = transaction.mode === 'readwrite';
  const stores = [...transaction.objectStoreNames];
  tab.transactions.add(transaction);
  transaction.addEventListener('abort', () => tab.transactions.delete(transaction));
  transaction.addEventListener('complete', () => {
    tab.transactions.delete(transaction);
    if (isWrite) committed(stores);
  });
  const ask = transaction._execRequestAsync.bind(transaction);
  transaction._execRequestAsync = (asked) => {
    const error = faults?.strike('request', isWrite, stores) ?? null;
    if (error === null) return ask(asked);
    const operation = () => {
      throw new DOMException(SIMULATED, error);
    };
    return ask({ ...asked, operation });
  };
  const start = transaction._start.bind(transaction);
  const step = () => {
    // Its turn has come, and the tab does not know: others of these stores wait for it.
    transaction._started = true;
    if (tab.isFrozen) {
      clock.after(0, step, tab);
      return;
    }
    tab.taskBegins();
    const isCommit = transaction._requests.every(({ request }) => request.readyState === 'done');
    if (isCommit && isWrite && transaction._state !== 'finished' && !tab.isDead) {
      const error = faults?.strike('commit', true, stores) ?? null;
      if (error !== null) {
        transaction._abort(error);
        return;
      }
    }
    start();
    // One that was told to commit does so without the tab.
    if (isWrite && !isCommit && transaction._state === 'active') tab.wroteWithin();
  };
  transaction._start = step;
  return transaction;
}
