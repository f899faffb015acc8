/**
 * Simulated time. Everything that will happen is an event with a time. Events run one after the other; an
 * event starts only when all promises of the event before have settled. So a schedule is one chain of events,
 * is the same in each run, and never waits for real time.
 *
 * An event may belong to a tab: all code that runs from this event to the next is that tab's. The fakes of
 * the browser's globals ask the clock for that tab. Events of a frozen tab wait until the tab thaws.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const realSetImmediate = globalThis.setImmediate;
/** Whether the running code is a schedule's; timers and promises that it begins inherit the value. */
const isInSchedule = new AsyncLocalStorage<boolean>();
/**
 * How many immediates are set at once. Each event waits for one of them, because Node settles all promises before
 * each immediate. An iteration of Node's event loop takes long, and runs all immediates that are set.
 */
const IMMEDIATES_AT_ONCE = 64;
let immediatesLeft = 0;
let onNextImmediate: (() => void) | null = null;

/** Resolves once all promises have settled, and Node has reported unhandled rejections. */
function promisesSettled(): Promise<void> {
  return new Promise((resolve) => {
    onNextImmediate = resolve;
    if (immediatesLeft > 0) return;
    immediatesLeft = IMMEDIATES_AT_ONCE;
    for (let i = 0; i < IMMEDIATES_AT_ONCE; i++) realSetImmediate(runImmediate);
  });
}

function runImmediate(): void {
  immediatesLeft -= 1;
  const run = onNextImmediate;
  onNextImmediate = null;
  run?.();
}

/** Runs work, and all that it begins, in simulated time. Returns what the work returns. */
export function inSimulatedTime<T>(work: () => T): T {
  return isInSchedule.run(true, work);
}

/**
 * Whether the running code lives in simulated time. The embedded database's code does not: it keeps
 * setting timers of its own.
 */
export function isSimulatedTime(): boolean {
  return isInSchedule.getStore() === true;
}

/** A schedule with more events than this never ends. */
const MAX_EVENTS = 1_000_000;

/** The storage of one phone runs its tasks one after the other. */
export interface StorageQueue {
  /** The simulated time at which the tasks so far will have run. */
  freeAtMs: number;
  /** A task takes from 0 to this many simulated milliseconds. */
  readonly maxTaskMs: number;
}

/** The part of a tab that the clock, the locks and the storage use. */
export interface SimulatedTab {
  readonly storageQueue: StorageQueue;
  isDead: boolean;
  isFrozen: boolean;
}

interface ClockEvent<T> {
  readonly id: number;
  readonly atMs: number;
  readonly run: () => void | Promise<void>;
  readonly tab: T | null;
}

export class Clock<T extends SimulatedTab> {
  /** Simulated milliseconds since the schedule began. */
  nowMs = 0;
  /** The tab whose code is running; null for the simulator's code. */
  tab: T | null = null;
  #eventCount = 0;
  /** Latest first, so that the next one is popped off the end. */
  #events: ClockEvent<T>[] = [];
  #eventsOfFrozen = new Map<T, ClockEvent<T>[]>();
  #nextId = 1;
  #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  /**
   * Runs a function after `ms` milliseconds. Time stands still until its promise has settled.
   *
   * @param tab the tab whose event this is; null for the simulator
   * @returns an id for `cancel`
   */
  after(ms: number, run: () => void | Promise<void>, tab: T | null = this.tab): number {
    const id = this.#nextId++;
    this.#insert({ id, atMs: this.nowMs + Math.max(0, ms), run, tab });
    return id;
  }

  cancel(id: number): void {
    const index = this.#events.findIndex((event) => event.id === id);
    if (index >= 0) this.#events.splice(index, 1);
  }

  /** Runs a task of the running tab's storage, after earlier tasks of the same phone. */
  storageTask(run: () => void): void {
    const queue = this.tab?.storageQueue;
    if (!queue) {
      this.after(0, run);
      return;
    }
    queue.freeAtMs = Math.max(this.nowMs, queue.freeAtMs) + this.#random() * queue.maxTaskMs;
    this.after(queue.freeAtMs - this.nowMs, run);
  }

  /** Runs work at once as code of this tab (null: of the simulator). Returns what the work returns. */
  runAs<R>(tab: T | null, work: () => R): R {
    const before = this.tab;
    this.tab = tab;
    try {
      return work();
    } finally {
      this.tab = before;
    }
  }

  /** Runs the events for which the time came while the tab was frozen. */
  thaw(tab: T): void {
    tab.isFrozen = false;
    const waiting = this.#eventsOfFrozen.get(tab) ?? [];
    this.#eventsOfFrozen.delete(tab);
    for (const event of waiting) this.#insert({ ...event, atMs: this.nowMs });
  }

  /** Runs events until `isDone`, or until the clock is at `limitMs`. Returns whether it is done. */
  async runUntil(isDone: () => boolean, limitMs: number): Promise<boolean> {
    while (!isDone()) {
      const next = this.#events.at(-1);
      if (!next || next.atMs > limitMs) {
        if (limitMs !== Infinity) this.nowMs = Math.max(this.nowMs, limitMs);
        return isDone();
      }
      this.#events.pop();
      if (next.tab?.isFrozen) {
        const waiting = this.#eventsOfFrozen.get(next.tab) ?? [];
        this.#eventsOfFrozen.set(next.tab, [...waiting, next]);
        continue;
      }
      this.nowMs = next.atMs;
      this.tab = next.tab;
      this.#eventCount += 1;
      if (this.#eventCount > MAX_EVENTS) throw new Error('a schedule without an end');
      await next.run();
      await promisesSettled();
    }
    return true;
  }

  /** Runs work that takes real time, such as a query of the database, while simulated time stands still. */
  inRealTime<R>(work: () => Promise<R>): Promise<R> {
    return isInSchedule.run(false, work);
  }

  /** Events of the same time run in the order in which they were inserted. */
  #insert(event: ClockEvent<T>): void {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle]?.atMs ?? 0) > event.atMs) low = middle + 1;
      else high = middle;
    }
    this.#events.splice(low, 0, event);
  }
}
