/**
 * The storage of one device, which a test can make fail, and tabs over it. A tab is the real code
 * with its modules loaded anew, so that two of them share nothing but the device.
 */
import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange, IDBTransaction } from 'fake-indexeddb';
import { vi } from 'vitest';

/** Where a fault strikes: as the request is made, as its answer, in flight, or when it is all written. */
export type Moment = 'call' | 'request' | 'abort' | 'commit';

export interface Fault {
  /** `open` for the database itself. */
  readonly store: string;
  readonly mode?: IDBTransactionMode;
  readonly moment?: Moment;
  readonly name?: string;
  /** How often it strikes; for good if absent. */
  readonly times?: number;
}

/** What fake-indexeddb keeps behind its surface. */
type RawTransaction = IDBTransaction & {
  _execRequestAsync(this: RawTransaction, asked: Asked): IDBRequest;
  _abort(name: string): void;
};
interface Asked {
  readonly source: {
    readonly name: string;
    readonly objectStore?: { readonly name: string };
  } | null;
  readonly operation: () => unknown;
}

const raw = IDBTransaction.prototype as unknown as RawTransaction;
const exec = raw._execRequestAsync;

export class Device {
  #faults: { fault: Fault; left: number }[] = [];
  #connections = new WeakSet<object>();
  #held: (() => void)[] | null = null;
  readonly factory = new IDBFactory();
  /** How often the database was opened. */
  opened = 0;

  /** Makes it what Dexie finds, and its faults strike. */
  plugIn(): void {
    const open = this.factory.open.bind(this.factory);
    this.factory.open = (name, version) => this.#open(() => open(name, version));
    Object.assign(Dexie.dependencies, { indexedDB: this.factory, IDBKeyRange });
    vi.stubGlobal('indexedDB', this.factory);
    vi.stubGlobal('IDBKeyRange', IDBKeyRange);
    const isOurs = (db: object) => this.#connections.has(db);
    const take = (store: string, mode: IDBTransactionMode) => this.#take(store, mode);
    raw._execRequestAsync = function (asked) {
      const store = asked.source?.objectStore?.name ?? asked.source?.name ?? '';
      const fault = isOurs(this.db) && take(store, this.mode);
      return fault ? struck(this, asked, fault) : exec.call(this, asked);
    };
  }

  unplug(): void {
    raw._execRequestAsync = exec;
    vi.unstubAllGlobals();
  }

  fail(fault: Fault): void {
    this.#faults.push({ fault, left: fault.times ?? Infinity });
  }

  heal(): void {
    this.#faults = [];
  }

  /** Opening answers nothing until `release`. */
  holdOpens(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const each of held) each();
  }

  #open(open: () => IDBOpenDBRequest): IDBOpenDBRequest {
    if (this.#take('open', 'readonly')) throw new DOMException('away', 'UnknownError');
    const request = open();
    request.addEventListener('upgradeneeded', () => this.#connections.add(request.result));
    request.addEventListener('success', () => {
      this.#connections.add(request.result);
      this.opened += 1;
    });
    const held = this.#held;
    return held ? late(request, (tell) => held.push(tell)) : request;
  }

  #take(store: string, mode: IDBTransactionMode): Fault | null {
    const found = this.#faults.find(
      ({ fault, left }) =>
        left > 0 &&
        fault.store === store &&
        (store === 'open' || (fault.mode ?? 'readwrite') === mode),
    );
    if (!found) return null;
    found.left -= 1;
    return found.fault;
  }
}

function struck(transaction: RawTransaction, asked: Asked, fault: Fault): IDBRequest {
  const name = fault.name ?? 'QuotaExceededError';
  const fail = () => new DOMException('the storage fails', name);
  switch (fault.moment ?? 'request') {
    case 'call':
      throw fail();
    case 'request':
      return exec.call(transaction, {
        ...asked,
        operation: () => {
          throw fail();
        },
      });
    case 'abort': {
      const request = exec.call(transaction, asked);
      transaction._abort(name);
      return request;
    }
    case 'commit': {
      const request = exec.call(transaction, asked);
      request.addEventListener('success', () => queueMicrotask(() => transaction._abort(name)));
      return request;
    }
  }
}

/**
 * A transaction over these stores that does not end, as that of a tab which the system has frozen.
 * Returns what ends it.
 */
export async function freezeWithin(db: Dexie, stores: readonly string[]): Promise<() => void> {
  await db.open();
  let isFrozen = true;
  const transaction = db.backendDB().transaction(stores, 'readwrite');
  const store = transaction.objectStore(stores[0] ?? '');
  const hold = () => {
    if (isFrozen) store.get('nothing').addEventListener('success', hold);
  };
  hold();
  return () => {
    isFrozen = false;
  };
}

/** What the browser keeps beside the database. */
export function plugInLocalStorage(): Map<string, string> {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  return kept;
}

/** The same request, whose handlers hear of it only when `hold` says so. */
function late(request: IDBOpenDBRequest, hold: (tell: () => void) => void): IDBOpenDBRequest {
  let onsuccess: ((event: Event) => void) | null = null;
  request.addEventListener('success', (event) => hold(() => onsuccess?.(event)));
  Object.defineProperty(request, 'onsuccess', {
    set: (handler: (event: Event) => void) => {
      onsuccess = handler;
    },
  });
  return request;
}

/** A tab that has just been opened: its own modules over the device that is plugged in. */
export async function loadTab() {
  vi.resetModules();
  await Promise.all([import('../../src/db/failover.ts'), import('../../src/db/write-change.ts')]);
  const { connection } = await import('../../src/db/connection.ts');
  const { forgetShopper, sessionStore } = await import('../../src/db/identity.ts');
  const { forgetShopperData } = await import('../../src/db/shopper-log.ts');
  return {
    connection,
    ...(await import('../../src/db/shopper-change.ts')),
    ...(await import('../../src/db/database.ts')),
    ...(await import('../../src/db/first-read.ts')),
    ...(await import('../../src/db/feed-stores.ts')),
    ...(await import('../../src/db/follow.ts')),
    ...(await import('../../src/db/shopper-store.ts')),
    ...(await import('../../src/db/catalogue-store.ts')),
    session: sessionStore(
      () => connection.db,
      (work) => connection.failover.keep(work),
    ),
    logOut: () => connection.failover.keep((db) => forgetShopper(db, forgetShopperData)),
  };
}

export type Tab = Awaited<ReturnType<typeof loadTab>>;

/** Stops time for timers that are not due at once; `vi.advanceTimersByTimeAsync` moves it. */
export function holdTime(): void {
  const { setTimeout: real } = globalThis;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const held = globalThis.setTimeout;
  const mixed = <T extends unknown[]>(run: (...given: T) => void, ms = 0, ...given: T) =>
    ms === 0 ? real(run, 0, ...given) : held(run, ms, ...given);
  Object.assign(globalThis, { setTimeout: mixed });
}

/** Lets the storage work for a while, before time goes on. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

/** Lets the storage work and due timers run until it is so, or a long time has passed. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  // A bound for what never comes: modules may still be on their way from the disk.
  const end = performance.now() + 30_000;
  while (performance.now() < end) {
    if (await isSo()) return;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  throw new Error(`this never came true: ${isSo.toString()}`);
}

/** Lets the storage work and due timers run until this promise is settled. */
export async function settled<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  await until(() => isOver);
  return work;
}

/** Puts one piece of a product into the cart of this tab. */
export const addOne = (tab: Tab, productId = 1) =>
  tab.change([{ kind: 'cart.add', args: { productId, by: 1 } }]);
