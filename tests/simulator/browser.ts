/**
 * Stand-ins for what the engine takes from its browser: timers, chance, window, document and locks.
 * They are put in place while a schedule runs and go by the clock's actor, so each tab has its own.
 */
import type { Chance } from './chance.ts';
import type { Clock } from './clock.ts';
import { isInRealTimer, setRealTimer } from './real-timers.ts';
import type { Tab } from './tab.ts';

/** What one tab's window and document have been asked to tell. */
export class PageEvents {
  #listeners = new Map<string, Set<() => void>>();

  add = (type: string, listener: () => void): void => {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
  };

  remove = (type: string, listener: () => void): void => {
    this.#listeners.get(type)?.delete(listener);
  };

  fire(type: string): void {
    for (const listener of this.#listeners.get(type) ?? []) listener();
  }
}

/** Runs the work with the stand-ins in place of the globals. */
export async function inBrowser<T>(
  clock: Clock<Tab>,
  chance: Chance,
  work: () => Promise<T>,
): Promise<T> {
  const restore = [
    ...Object.entries(globals(clock)).map(([name, value]) => replace(globalThis, name, { value })),
    replace(globalThis, 'navigator', { get: () => navigatorOf(clock.actor) }),
    replace(AbortSignal, 'timeout', { value: (ms: number) => timeoutSignal(clock, ms) }),
    replace(Math, 'random', { value: chance.next }),
    replace(globalThis.crypto, 'randomUUID', { value: chance.uuid }),
  ];
  try {
    return await work();
  } finally {
    for (const undo of restore) undo();
  }
}

function globals(clock: Clock<Tab>): Readonly<Record<string, unknown>> {
  const real = { setImmediate, clearTimeout };
  const actor = (): Tab => {
    if (!clock.actor) throw new Error('a tab’s code runs outside its tab');
    return clock.actor;
  };
  const events = {
    addEventListener: (type: string, listener: () => void) => actor().page.add(type, listener),
    removeEventListener: (type: string, listener: () => void) =>
      actor().page.remove(type, listener),
  };
  const window = {
    ...events,
    setTimeout: (run: () => void, ms: number) => {
      const tab = actor();
      return clock.after(ms, () => (tab.isDead ? undefined : run()), tab);
    },
    clearTimeout: (id: number) => clock.cancel(id),
  };
  return {
    setImmediate: (run: () => void) => (clock.isOutside ? real.setImmediate(run) : clock.task(run)),
    setTimeout: (run: () => void, ms = 0) =>
      clock.isOutside || isInRealTimer() ? setRealTimer(run, ms) : clock.after(ms, run),
    clearTimeout: (id: NodeJS.Timeout | number) =>
      typeof id === 'number' ? clock.cancel(id) : real.clearTimeout(id),
    window,
    document: { ...events, visibilityState: 'visible' },
  };
}

function navigatorOf(tab: Tab | null): object {
  const locks = tab?.locks;
  return locks ? { locks } : {};
}

function timeoutSignal(clock: Clock<Tab>, ms: number): AbortSignal {
  const controller = new AbortController();
  clock.after(ms, () => controller.abort(new DOMException('given up', 'TimeoutError')));
  return controller.signal;
}

/** Returns what puts the property back as it was. */
function replace(target: object, name: string, property: PropertyDescriptor): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  const writable = 'value' in property ? { writable: true } : {};
  Object.defineProperty(target, name, { configurable: true, ...writable, ...property });
  return () => {
    if (before) Object.defineProperty(target, name, before);
    else Reflect.deleteProperty(target, name);
  };
}
