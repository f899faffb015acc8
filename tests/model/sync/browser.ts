/**
 * Fakes of the browser's globals that the page uses: timers, random numbers, window, document, storage,
 * locks and broadcast channels. They replace the real globals while a schedule runs. Each fake asks the clock
 * which tab's code is running, and acts for that tab. Code outside simulated time, such as a timer of the
 * embedded database, gets the real globals.
 */
import { IDBKeyRange } from 'fake-indexeddb';
import { Chance } from '../kit/chance.ts';
import { type Clock, inSimulatedTime, isSimulatedTime, type SimulatedTab } from './clock.ts';
import type { NetworkState } from './fates.ts';
import { SHOP_URL } from './page-bundle.ts';
import {
  type Channels,
  type KeyValues,
  type Listener,
  type PageEvents,
  SimulatedChannel,
} from './page-globals.ts';

/** The part of a tab that the fakes of its browser's globals use. */
export interface BrowserTab extends SimulatedTab {
  readonly events: PageEvents;
  readonly indexedDB: IDBFactory;
  readonly sessionStorage: KeyValues;
  /** `navigator.locks`; undefined in a browser without Web Locks. */
  readonly locks: unknown;
  readonly fetch: typeof globalThis.fetch;
  /** Whether another tab or app is in front of it. */
  readonly isHidden: boolean;
  readonly phone: {
    readonly networkState: NetworkState;
    readonly localStorage: KeyValues;
    readonly channels: Channels;
  };
  /** Records an error that the page's code has not handled. */
  pageError(error: unknown): void;
}

/** The stream of draws for `Math.random` and `crypto.randomUUID`. Other parts of the simulator use other streams. */
const STREAM = 6;

/** Runs work in simulated time, with the fakes in place of the globals. */
export async function inBrowser<T>(
  clock: Clock<BrowserTab>,
  seed: number,
  work: () => Promise<T>,
): Promise<T> {
  const chance = new Chance(seed, STREAM);
  const restoreAll = [
    ...Object.entries(sharedGlobals(clock)).map(([name, value]) =>
      replace(globalThis, name, () => value),
    ),
    ...Object.entries(globalsOfTab(clock)).map(([name, get]) => replace(globalThis, name, get)),
    replace(AbortSignal, 'timeout', () => (ms: number) => timeoutSignal(clock, ms)),
    replace(Math, 'random', () => chance.next),
    replace(globalThis.crypto, 'randomUUID', () => chance.uuid),
  ];
  // A browser prints an unhandled rejection of a page to its console, and other pages go on.
  const unhandled = (error: unknown) => clock.tab?.pageError(error);
  process.on('unhandledRejection', unhandled);
  try {
    return await inSimulatedTime(work);
  } finally {
    process.off('unhandledRejection', unhandled);
    for (const restore of restoreAll) restore();
  }
}

/** The fakes that are the same object for all tabs; their functions ask for the running tab. */
function sharedGlobals(clock: Clock<BrowserTab>): Readonly<Record<string, unknown>> {
  const clearRealTimer = clearTimeout;
  const runningTab = (): BrowserTab => {
    if (!clock.tab) throw new Error('a tab’s code runs outside its tab');
    return clock.tab;
  };
  const events = {
    addEventListener: (type: string, listener: Listener) => runningTab().events.add(type, listener),
    removeEventListener: (type: string, listener: Listener) =>
      runningTab().events.remove(type, listener),
  };
  const setSimulatedTimeout = (run: TimerCallback, ms = 0, ...args: unknown[]) => {
    const tab = clock.tab;
    return clock.after(ms, () => (tab?.isDead ? undefined : run(...args)), tab);
  };
  const clearSimulatedTimeout = (timer: unknown) => {
    if (typeof timer === 'number') clock.cancel(timer);
    else clearRealTimer(timer as NodeJS.Timeout); // set outside simulated time
  };
  const timers = { setTimeout: setSimulatedTimeout, clearTimeout: clearSimulatedTimeout };
  return {
    ...timers,
    ...events,
    // fake-indexeddb runs its tasks with `setImmediate`.
    setImmediate: (run: () => void) => clock.storageTask(run),
    setInterval: () => {
      throw new Error('no page sets an interval, so none is simulated');
    },
    window: { ...events, ...timers },
    // A page without markup: nothing is kept of its first screen.
    document: {
      ...events,
      get visibilityState() {
        return runningTab().isHidden ? 'hidden' : 'visible';
      },
      getElementById: () => null,
    },
    location: new URL(SHOP_URL),
    reportError: (error: unknown) => runningTab().pageError(error),
    IDBKeyRange,
    BroadcastChannel: class extends SimulatedChannel {
      constructor(name: string) {
        super(name, runningTab(), runningTab().phone.channels);
      }
    },
  };
}

/** The fakes that are another object for each tab or phone. */
function globalsOfTab(clock: Clock<BrowserTab>): Readonly<Record<string, () => unknown>> {
  return {
    navigator: () => navigatorOf(clock.tab),
    indexedDB: () => clock.tab?.indexedDB,
    localStorage: () => clock.tab?.phone.localStorage,
    sessionStorage: () => clock.tab?.sessionStorage,
    fetch: () => clock.tab?.fetch,
  };
}

type TimerCallback = (...args: unknown[]) => void;

function navigatorOf(tab: BrowserTab | null): object {
  const locks = tab?.locks;
  const onLine = tab?.phone.networkState !== 'offline';
  return locks ? { locks, onLine } : { onLine };
}

function timeoutSignal(clock: Clock<BrowserTab>, ms: number): AbortSignal {
  const controller = new AbortController();
  clock.after(ms, () => controller.abort(new DOMException('given up', 'TimeoutError')));
  return controller.signal;
}

/**
 * Replaces a property for code in simulated time; other code reads and writes the real value.
 *
 * @returns a function that restores the property
 */
function replace(target: object, name: string, fake: () => unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  let real: unknown = before?.get ? before.get.call(target) : before?.value;
  Object.defineProperty(target, name, {
    configurable: true,
    get: () => (isSimulatedTime() ? fake() : real),
    // Vitest replaces timers for a moment while it talks to its main thread.
    set: (value) => {
      real = value;
    },
  });
  return () => {
    if (before) Object.defineProperty(target, name, before);
    else Reflect.deleteProperty(target, name);
  };
}
