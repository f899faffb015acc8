/**
 * Stands between a tab and fake-indexeddb (IndexedDB in JavaScript). It makes requests and commits fail, and
 * lets tabs die or freeze between two steps. It reports each completed transaction to the simulator before the
 * page's own code learns of the completion.
 */
import { IDBFactory } from 'fake-indexeddb';
import type { SimulatedTab, Clock } from './clock.ts';
import type { StorageFaults } from './storage-faults.ts';

// The parts of fake-indexeddb 6's internal objects that are used here. Only single objects are changed, never
// a class.

/** The records of one object store. */
export interface InternalStore {
  readonly records: { values(): Iterable<{ value: unknown }> };
  /** `num` is the last key given; null for a store without generated keys. */
  readonly keyGenerator: { num: number } | null;
  storeRecord(record: { key: unknown; value: unknown }, noOverwrite: boolean): void;
}
interface InternalRequest {
  readonly request: { readonly readyState: string };
}
/** A request of a transaction, before it runs. */
interface Operation {
  readonly operation: () => unknown;
  readonly source?: unknown;
}
/** `_start` runs the requests that wait or, when there are none, the commit. */
type InternalTransaction = IDBTransaction & {
  _start(): void;
  _abort(error: string | null): void;
  _execRequestAsync(request: Operation): unknown;
  _started: boolean;
  _state: string;
  readonly _requests: readonly InternalRequest[];
};
interface InternalDatabase {
  readonly rawObjectStores: ReadonlyMap<string, InternalStore>;
  readonly transactions: readonly InternalTransaction[];
  connections: readonly unknown[];
  processTransactions: (() => void) & { belongsToNoTab?: true };
}
type InternalConnection = Omit<IDBDatabase, 'transaction'> & {
  transaction(...args: unknown[]): InternalTransaction;
  readonly _rawDatabase: InternalDatabase;
  _closePending: boolean;
  _closed: boolean;
};

/** The message of the errors with which the storage fails. */
export const SIMULATED = 'simulated';

/** The object stores of a database by name. */
export type InternalStores = ReadonlyMap<string, InternalStore>;

/** The part of a tab that its storage uses. */
export interface StorageUser extends SimulatedTab {
  readonly transactions: Set<IDBTransaction>;
  readonly connections: Set<{ close(): void }>;
  /** Called before each step. */
  taskBegins(): void;
  /** Called when the tab has written within a transaction that is still open. */
  wroteInTransaction(): void;
}

/** The simulator's parts and callbacks that a factory uses. */
export interface StorageHooks {
  readonly clock: Clock<SimulatedTab>;
  /** Null for a storage that never fails. */
  readonly faults: StorageFaults | null;
  readonly opened: (stores: InternalStores) => void;
  /** A transaction that writes to the stores of these names has completed. */
  readonly committed: (stores: readonly string[]) => void;
}

/**
 * A new, empty IndexedDB in which each open is an event of the clock. fake-indexeddb begins the next open as
 * soon as the last one ends, so code of two tabs would run in one event.
 */
export function newFactory(clock: Clock<SimulatedTab>): IDBFactory {
  const queues = new Map<string, Promise<unknown>>();
  const oneByOne = {
    get: (name: string) =>
      queues.get(name)?.then(() => new Promise<void>((resolve) => clock.after(0, resolve, null))),
    set: (name: string, last: Promise<unknown>) => void queues.set(name, last),
  };
  return Object.assign(new IDBFactory(), { _connectionQueues: oneByOne });
}

/** `indexedDB` of one tab, over the database that it shares with others. */
export function factoryFor(tab: StorageUser, factory: IDBFactory, hooks: StorageHooks): IDBFactory {
  const { clock } = hooks;
  const open = (name: string, version?: number) => {
    if (tab.isDead) return failedOpen(null, clock); // never answered
    const error = hooks.faults?.errorOf('open', { isWrite: false, stores: [] }) ?? null;
    if (error !== null) return failedOpen(error, clock);
    const request = factory.open(name, version);
    // These listeners are added, and run, before the page's own.
    for (const type of ['blocked', 'error']) {
      request.addEventListener(type, () => tab.taskBegins());
    }
    request.addEventListener('upgradeneeded', () => {
      tab.taskBegins();
      addHooks(tab, request.result as unknown as InternalConnection, hooks);
      const upgrade = request.transaction as InternalTransaction;
      const start = upgrade._start.bind(upgrade);
      upgrade._start = () => {
        tab.taskBegins();
        start();
      };
    });
    request.addEventListener('success', (event) => {
      tab.taskBegins();
      const connection = request.result as unknown as InternalConnection;
      addHooks(tab, connection, hooks);
      if (!tab.isDead) return hooks.opened(connection._rawDatabase.rawObjectStores);
      event.stopImmediatePropagation(); // the code of a dead tab does not go on
      connection.close();
    });
    return request;
  };
  return Object.create(factory, { open: { value: open } }) as IDBFactory;
}

/** A request to open a database, which fails with this error; for null, the request is never answered. */
function failedOpen(error: string | null, clock: Clock<SimulatedTab>): IDBOpenDBRequest {
  const target = new EventTarget() as IDBOpenDBRequest;
  const exception = error === null ? null : new DOMException(SIMULATED, error);
  Object.defineProperty(target, 'error', { value: exception });
  target.addEventListener('error', (event) => target.onerror?.(event));
  const answer = () => void target.dispatchEvent(new Event('error', { cancelable: true }));
  if (error !== null) clock.after(1, answer);
  return target;
}

/**
 * Puts the hooks into a connection. The first open creates the stores in an upgrade, from which on Dexie
 * uses the connection, so this runs at the upgrade and at the success, and does nothing the second time.
 */
function addHooks(tab: StorageUser, connection: InternalConnection, hooks: StorageHooks): void {
  if (tab.connections.has(connection)) return;
  const { clock } = hooks;
  const database = connection._rawDatabase;
  if (!database.processTransactions.belongsToNoTab) {
    // The browser, not the tab, decides which transaction is next, so a frozen tab does not delay it.
    const { processTransactions } = database;
    const processInNoTab = () => clock.runAs(null, processTransactions);
    database.processTransactions = Object.assign(processInNoTab, {
      belongsToNoTab: true as const,
    });
  }
  tab.connections.add(connection);
  connection.close = () => close(connection);
  const begin = connection.transaction.bind(connection);
  connection.transaction = (...args) => {
    const stores = [args[0]].flat() as readonly string[];
    const isWrite = args[1] === 'readwrite';
    const error = hooks.faults?.errorOf('transaction', { isWrite, stores }) ?? null;
    if (error !== null) throw new DOMException(SIMULATED, error);
    return withHooks(tab, begin(...args), hooks);
  };
}

/**
 * Closes a connection once its own transactions have ended. fake-indexeddb's `close` would check in every task
 * whether the transactions of all connections have ended, which is slow while a tab is frozen in a transaction.
 */
function close(connection: InternalConnection): void {
  const database = connection._rawDatabase;
  connection._closePending = true;
  const isOwn = ({ db }: IDBTransaction) => (db as unknown) === connection;
  const running = database.transactions.find((each) => isOwn(each) && each._state !== 'finished');
  if (running) {
    for (const type of ['complete', 'abort']) {
      running.addEventListener(type, () => close(connection));
    }
    return;
  }
  connection._closed = true;
  database.connections = database.connections.filter((each) => each !== connection);
}

function withHooks(
  tab: StorageUser,
  transaction: InternalTransaction,
  { clock, faults, committed }: StorageHooks,
) {
  const isWrite = transaction.mode === 'readwrite';
  const stores = [...transaction.objectStoreNames];
  tab.transactions.add(transaction);
  transaction.addEventListener('abort', () => tab.transactions.delete(transaction));
  transaction.addEventListener('complete', () => {
    tab.transactions.delete(transaction);
    if (isWrite) committed(stores);
  });
  const execute = transaction._execRequestAsync.bind(transaction);
  transaction._execRequestAsync = (request) => {
    const error = faults?.errorOf('request', { isWrite, stores }) ?? null;
    if (error === null) return execute(request);
    const operation = () => {
      throw new DOMException(SIMULATED, error);
    };
    return execute({ ...request, operation });
  };
  const start = transaction._start.bind(transaction);
  const step = () => {
    // From here on, later transactions over the same stores wait for this one, also if the tab is frozen.
    transaction._started = true;
    if (tab.isFrozen) {
      clock.after(0, step, tab);
      return;
    }
    tab.taskBegins();
    const isCommit = transaction._requests.every(({ request }) => request.readyState === 'done');
    if (isCommit && isWrite && transaction._state !== 'finished' && !tab.isDead) {
      const error = faults?.errorOf('commit', { isWrite, stores }) ?? null;
      if (error !== null) {
        transaction._abort(error);
        return;
      }
    }
    start();
    // A commit ends without the tab, so a tab freezes only in a transaction that is still active.
    if (isWrite && !isCommit && transaction._state === 'active') tab.wroteInTransaction();
  };
  transaction._start = step;
  return transaction;
}
