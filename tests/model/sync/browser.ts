/**
 * Fakes of what the page takes from its browser: timers, chance, window, document, storage,
 * locks and channels. They are put in place while a schedule runs and go by the clock's actor, so
 * each tab has its own. Code that is not the schedule's, such as a timer of an embedded database,
 * finds the real ones.
 */
import { IDBKeyRange } from 'fake-indexeddb';
import type { Chance } from '../kit/chance.ts';
import { type Actor, type Clock, isSimulated, simulated } from './clock.ts';
import type { Weather } from './fates.ts';
import { SHOP_URL } from './page-bundle.ts';
import {
  type Channels,
  type KeyValues,
  type Listener,
  type PageEvents,
  SimulatedChannel,
} from './page-globals.ts';

/** A tab, as far as the fakes of its browser's globals need it. */
export interface Page extends Actor {
  readonly page: PageEvents;
  readonly indexedDB: IDBFactory;
  readonly sessionStorage: KeyValues;
  readonly locks: unknown;
  readonly fetch: typeof globalThis.fetch;
  readonly phone: {
    readonly weather: Weather;
    readonly localStorage: KeyValues;
    readonly channels: Channels;
  };
  pageError(error: unknown): void;
}

/** Runs the work with the fakes in place of the globals. */
export async function inBrowser<T>(
  clock: Clock<Page>,
  chance: Chance,
  work: () => Promise<T>,
): Promise<T> {
  const restore = [
    ...Object.entries(globals(clock)).map(([name, value]) =>
      replace(globalThis, name, () => value),
    ),
    ...Object.entries(ofTab(clock)).map(([name, get]) => replace(globalThis, name, get)),
    replace(AbortSignal, 'timeout', () => (ms: number) => timeoutSignal(clock, ms)),
    replace(Math, 'random', () => chance.next),
    replace(globalThis.crypto, 'randomUUID', () => chance.uuid),
  ];
  // An unhandled rejection of a page is in its console, and ends no other page.
  const unhandled = (error: unknown) => clock.actor?.pageError(error);
  process.on('unhandledRejection', unhandled);
  try {
    return await simulated(work);
  } finally {
    process.off('unhandledRejection', unhandled);
    for (const undo of restore) undo();
  }
}

function globals(clock: Clock<Page>): Readonly<Record<string, unknown>> {
  const endRealTimer = clearTimeout;
  const actor = (): Page => {
    if (!clock.actor) throw new Error('a tab’s code runs outside its tab');
    return clock.actor;
  };
  const events = {
    addEventListener: (type: string, listener: Listener) => actor().page.add(type, listener),
    removeEventListener: (type: string, listener: Listener) => actor().page.remove(type, listener),
  };
  const after = (run: Timed, ms = 0, ...args: unknown[]) => {
    const tab = clock.actor;
    return clock.after(ms, () => (tab?.isDead ? undefined : run(...args)), tab);
  };
  const again = (run: () => void, ms: number) => {
    const tab = actor();
    const timer = { id: 0 };
    const tick = () => {
      if (tab.isDead) return;
      run();
      timer.id = clock.after(ms, tick, tab);
    };
    timer.id = clock.after(ms, tick, tab);
    return timer;
  };
  const forget = (id: unknown) => {
    if (typeof id === 'number') clock.cancel(id);
    else if (isTimer(id)) clock.cancel(id.id);
    else endRealTimer(id as NodeJS.Timeout);
  };
  const document = {
    ...events,
    get visibilityState() {
      return actor().page.visibilityState;
    },
    querySelector: () => null,
  };
  const timers = { clearTimeout: forget, setInterval: again, clearInterval: forget };
  return {
    ...timers,
    ...events,
    setImmediate: (run: () => void) => clock.task(run),
    setTimeout: after,
    window: { ...events, ...timers, setTimeout: after },
    document,
    location: new URL(SHOP_URL),
    reportError: (error: unknown) => actor().pageError(error),
    IDBKeyRange,
    BroadcastChannel: class extends SimulatedChannel {
      constructor(name: string) {
        super(name, actor(), actor().phone.channels);
      }
    },
  };
}

/** Globals that are the running tab's own. */
function ofTab(clock: Clock<Page>): Readonly<Record<string, () => unknown>> {
  return {
    navigator: () => navigatorOf(clock.actor),
    indexedDB: () => clock.actor?.indexedDB,
    localStorage: () => clock.actor?.phone.localStorage,
    sessionStorage: () => clock.actor?.sessionStorage,
    fetch: () => clock.actor?.fetch,
  };
}

type Timed = (...args: unknown[]) => void;

function isTimer(value: unknown): value is { readonly id: number } {
  return typeof value === 'object' && value !== null && 'id' in value;
}

function navigatorOf(tab: Page | null): object {
  const locks = tab?.locks;
  const onLine = tab?.phone.weather !== 'offline';
  return locks ? { locks, onLine } : { onLine };
}

function timeoutSignal(clock: Clock<Page>, ms: number): AbortSignal {
  const controller = new AbortController();
  clock.after(ms, () => controller.abort(new DOMException('given up', 'TimeoutError')));
  return controller.signal;
}

/** Returns what puts the property back as it was. */
function replace(target: object, name: string, fake: () => unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  let real: unknown = before?.get ? before.get.call(target) : before?.value;
  Object.defineProperty(target, name, {
    configurable: true,
    get: () => (isSimulated() ? fake() : real),
    // Vitest sets its own timers while it talks to its main thread.
    set: (value) => {
      real = value;
    },
  });
  return () => {
    if (before) Object.defineProperty(target, name, before);
    else Reflect.deleteProperty(target, name);
  };
}
