/**
 * Simulated time. What would happen at a moment is an event; one event runs at a time, and the next
 * only once all promises that follow from it have settled. So a schedule is one chain of events,
 * the same in each run, and takes no real waiting.
 *
 * Each event belongs to an actor (a tab): code that runs after it, up to the next event, is that
 * tab's. The fakes of the browser's globals go by it. The events of a frozen actor are held
 * until it thaws.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const realTurn = globalThis.setImmediate;
/** Whether the running code is a schedule's; what it begins inherits that. */
const inSchedule = new AsyncLocalStorage<boolean>();
/** Turns asked for at once: Node runs them in one iteration of its event loop, which costs the most. */
const TURNS = 64;
let turnsLeft = 0;
let endTurn: (() => void) | null = null;

/** Resolves once all promises have settled, and Node has reported unhandled rejections. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    endTurn = resolve;
    if (turnsLeft > 0) return;
    turnsLeft = TURNS;
    for (let i = 0; i < TURNS; i++) realTurn(takeTurn);
  });
}

function takeTurn(): void {
  turnsLeft -= 1;
  const end = endTurn;
  endTurn = null;
  end?.();
}

/** Runs work in simulated time, with all that follows from it. */
export function simulated<T>(work: () => T): T {
  return inSchedule.run(true, work);
}

/**
 * Whether the running code lives in simulated time. An embedded database does not: it sets its
 * timers anew whenever they go off.
 */
export function isSimulated(): boolean {
  return inSchedule.getStore() === true;
}

const MOST_STEPS = 1_000_000;

/** Tasks of one phone's storage run one after the other, each taking up to `slowestMs`. */
export interface Lane {
  freeAtMs: number;
  readonly slowestMs: number;
}

export interface Actor {
  readonly lane: Lane;
  isDead: boolean;
  isFrozen: boolean;
}

interface ClockEvent<A> {
  readonly id: number;
  readonly atMs: number;
  readonly run: () => void | Promise<void>;
  readonly actor: A | null;
}

export class Clock<A extends Actor> {
  nowMs = 0;
  /** Whose code is running. */
  actor: A | null = null;
  steps = 0;
  /** Latest last, so that the next one is taken off the end. */
  #events: ClockEvent<A>[] = [];
  #held = new Map<A, ClockEvent<A>[]>();
  #nextId = 1;
  #delayMs = 0;
  #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Returns a number that cancels it. The run may be asynchronous: time then stands still. */
  after(ms: number, run: () => void | Promise<void>, actor: A | null = this.actor): number {
    const id = this.#nextId++;
    this.#insert({ id, atMs: this.nowMs + Math.max(0, ms), run, actor });
    return id;
  }

  cancel(id: number): void {
    const at = this.#events.findIndex((event) => event.id === id);
    if (at >= 0) this.#events.splice(at, 1);
  }

  /** A task of the actor's storage, in its turn. */
  task(run: () => void): void {
    const lane = this.actor?.lane;
    if (!lane || this.#delayMs > 0) {
      this.after(this.#delayMs, run);
      return;
    }
    lane.freeAtMs = Math.max(this.nowMs, lane.freeAtMs) + this.#random() * lane.slowestMs;
    this.after(lane.freeAtMs - this.nowMs, run);
  }

  /** What the work asks the storage for is begun so much later. */
  delayed<T>(ms: number, work: () => T): T {
    this.#delayMs = ms;
    try {
      return work();
    } finally {
      this.#delayMs = 0;
    }
  }

  /** Runs something at once as this actor's own; without an actor for null. */
  as<T>(actor: A | null, work: () => T): T {
    const before = this.actor;
    this.actor = actor;
    try {
      return work();
    } finally {
      this.actor = before;
    }
  }

  /** Lets an actor go on where it was frozen. */
  thaw(actor: A): void {
    actor.isFrozen = false;
    const held = this.#held.get(actor) ?? [];
    this.#held.delete(actor);
    for (const event of held) this.#insert({ ...event, atMs: this.nowMs });
  }

  /** Runs events until `isDone` or the time is over; says whether it is done. */
  async runUntil(isDone: () => boolean, limitMs: number): Promise<boolean> {
    while (!isDone()) {
      const next = this.#events.at(-1);
      if (!next || next.atMs > limitMs) {
        this.nowMs = Math.max(this.nowMs, limitMs === Infinity ? 0 : limitMs);
        return isDone();
      }
      this.#events.pop();
      if (next.actor?.isFrozen) {
        this.#held.set(next.actor, [...(this.#held.get(next.actor) ?? []), next]);
        continue;
      }
      this.nowMs = next.atMs;
      this.actor = next.actor;
      this.steps += 1;
      if (this.steps > MOST_STEPS) throw new Error('a schedule without an end');
      await next.run();
      await nextTurn();
    }
    return true;
  }

  /** Runs work that takes real time, while simulated time stands still. */
  outside<T>(work: () => Promise<T>): Promise<T> {
    return inSchedule.run(false, work);
  }

  #insert(event: ClockEvent<A>): void {
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
