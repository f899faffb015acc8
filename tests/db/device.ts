/** The storage of one device, which a test can make fail or freeze. */
import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange, IDBTransaction } from 'fake-indexeddb';
import { vi } from 'vitest';

/** A fault of the storage. */
interface Fault {
  /** The store at whose requests it strikes; `open` for opening the database, which ignores all fields but `times`. */
  readonly store: string;
  /** Of the transaction; by default `readwrite`. */
  readonly mode?: IDBTransactionMode;
  /** Whether the transaction aborts when it has written; otherwise the request fails. */
  readonly atCommit?: boolean;
  /** The name of the error; by default `QuotaExceededError`. */
  readonly name?: string;
  /** How often it strikes; every time if absent. */
  readonly times?: number;
}

/** The private methods of fake-indexeddb's transactions through which every request goes. */
type PrivateTransaction = IDBTransaction & {
  _execRequestAsync(this: PrivateTransaction, parts: RequestParts): IDBRequest;
  _abort(name: string): void;
};
/** What a request is made of: whose it is, and what it does. */
interface RequestParts {
  readonly source: {
    readonly name: string;
    readonly objectStore?: { readonly name: string };
  } | null;
  readonly operation: () => unknown;
}

const transactions = IDBTransaction.prototype as unknown as PrivateTransaction;
const execute = transactions._execRequestAsync;

/** A device with one database. */
export class Device {
  #faults: { fault: Fault; left: number }[] = [];
  /** This device's databases: the patched method is called for those of earlier devices, too. */
  #connections = new WeakSet<object>();
  /** Each function delivers a delayed answer to an opening; null while none is to be delayed. */
  #delayed: (() => void)[] | null = null;
  readonly factory = new IDBFactory();

  /** Makes Dexie and the page's code use this device, with its faults. */
  plugIn(): void {
    const open = this.factory.open.bind(this.factory);
    this.factory.open = (name, version) => this.#open(() => open(name, version));
    Object.assign(Dexie.dependencies, { indexedDB: this.factory, IDBKeyRange });
    vi.stubGlobal('indexedDB', this.factory);
    vi.stubGlobal('IDBKeyRange', IDBKeyRange);
    const isOurs = (db: object) => this.#connections.has(db);
    const faultFor = (store: string, mode: IDBTransactionMode) => this.#faultFor(store, mode);
    transactions._execRequestAsync = function (parts) {
      const store = parts.source?.objectStore?.name ?? parts.source?.name ?? '';
      const fault = isOurs(this.db) && faultFor(store, this.mode);
      return fault ? failRequest(this, parts, fault) : execute.call(this, parts);
    };
  }

  /** Ends what `plugIn` began. */
  unplug(): void {
    transactions._execRequestAsync = execute;
    vi.unstubAllGlobals();
  }

  /** Adds a fault. */
  fail(fault: Fault): void {
    this.#faults.push({ fault, left: fault.times ?? Infinity });
  }

  /** Removes all faults. */
  heal(): void {
    this.#faults = [];
  }

  /** Delays the answers of opening until `answerOpens`. */
  delayOpens(): void {
    this.#delayed ??= [];
  }

  /** Delivers the delayed answers, and delays no more. */
  answerOpens(): void {
    const delayed = this.#delayed ?? [];
    this.#delayed = null;
    for (const deliver of delayed) deliver();
  }

  #open(open: () => IDBOpenDBRequest): IDBOpenDBRequest {
    if (this.#faultFor('open', 'readonly')) throw new DOMException('away', 'UnknownError');
    const request = open();
    request.addEventListener('upgradeneeded', () => this.#connections.add(request.result));
    request.addEventListener('success', () => this.#connections.add(request.result));
    const delayed = this.#delayed;
    return delayed ? withDelayedSuccess(request, (deliver) => delayed.push(deliver)) : request;
  }

  /** The fault that strikes now, if there is one. Counts it as having struck once more. */
  #faultFor(store: string, mode: IDBTransactionMode): Fault | null {
    const entry = this.#faults.find(
      ({ fault, left }) =>
        left > 0 &&
        fault.store === store &&
        (store === 'open' || (fault.mode ?? 'readwrite') === mode),
    );
    if (!entry) return null;
    entry.left -= 1;
    return entry.fault;
  }
}

/** Makes a request of this transaction fail as the fault says. */
function failRequest(
  transaction: PrivateTransaction,
  parts: RequestParts,
  { name = 'QuotaExceededError', atCommit = false }: Fault,
): IDBRequest {
  if (!atCommit) {
    return execute.call(transaction, {
      ...parts,
      operation: () => {
        throw new DOMException('the storage fails', name);
      },
    });
  }
  const request = execute.call(transaction, parts);
  // Aborts in a microtask, so that the page's own handler of `success` runs first.
  request.addEventListener('success', () => queueMicrotask(() => transaction._abort(name)));
  return request;
}

/**
 * Begins a transaction over these stores that does not end, like that of a tab which the system has
 * frozen. Returns a function that ends it.
 */
export async function freezeWithin(db: Dexie, stores: readonly string[]): Promise<() => void> {
  await db.open();
  let isFrozen = true;
  const transaction = db.backendDB().transaction(stores, 'readwrite');
  const store = transaction.objectStore(stores[0] ?? '');
  // A transaction ends when it has no request left.
  const keepOpen = () => {
    if (isFrozen) store.get('nothing').addEventListener('success', keepOpen);
  };
  keepOpen();
  return () => {
    isFrozen = false;
  };
}

/** Returns the request, whose `onsuccess` is called only by the function that is passed to `delay`. */
function withDelayedSuccess(
  request: IDBOpenDBRequest,
  delay: (deliver: () => void) => void,
): IDBOpenDBRequest {
  let onsuccess: ((event: Event) => void) | null = null;
  request.addEventListener('success', (event) => delay(() => onsuccess?.(event)));
  Object.defineProperty(request, 'onsuccess', {
    set: (handler: (event: Event) => void) => {
      onsuccess = handler;
    },
  });
  return request;
}
