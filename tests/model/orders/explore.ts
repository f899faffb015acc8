/**
 * Explores everything that can happen in a scenario, in every order, up to a depth: in each state it makes
 * every possible move. It visits each state once, however many moves lead to it. From each state it also
 * ends all functions and lets time pass, after which every invariant must hold.
 *
 * To go back to a state, it rolls the database back to a savepoint, and opens a world from its plain data.
 */
import { createHash } from 'node:crypto';
import { KEY_END } from './providers.ts';
import type { Violation } from '../kit/verdicts.ts';
import { watchPromises } from './promises.ts';
import { endAtOnce } from './settle.ts';
import type { Setup } from './schedule.ts';
import type { Move } from './provider-moves.ts';
import { movesOf, type MoveCounts, type Scenario } from './scenarios.ts';
import { addToCart } from './shopper.ts';
import { OrderVerdicts } from './verdicts.ts';
import type { Parts } from './world-view.ts';
import { type Facts, firstFacts } from './facts.ts';
import { World } from './world.ts';

/** The result of an exploration. */
export interface Explored {
  readonly scenario: string;
  readonly depth: number;
  /** How many different states it has visited, and how many moves it has made. */
  readonly states: number;
  readonly moves: number;
  /** How many sequences of moves lead through these states. */
  readonly paths: number;
  /** The first violation, with the moves that led to it. */
  readonly failure: { readonly path: readonly string[]; readonly violation: Violation } | null;
}

/** Explores a scenario to its `depth`, or to the first violation. */
export async function explore(
  scenario: Scenario,
  { database, functions, log }: Setup,
): Promise<Explored> {
  const verdicts = new OrderVerdicts(log);
  const parts = { database, functions, verdicts, checksTokens: false };
  await database.begin();
  try {
    const world = await World.open(parts, firstFacts(parts, scenario.phones ?? [0]));
    await addToCart(world, database.products[0] ?? 0, 3);
    await scenario.begin?.(world);
    const exploration = new Exploration(scenario, parts);
    const paths = await exploration.visit(world.toFacts(), {}, scenario.depth);
    const [violation] = verdicts.violations;
    return {
      scenario: scenario.name,
      depth: scenario.depth,
      states: exploration.states,
      moves: exploration.moves,
      paths,
      failure: violation ? { path: exploration.path, violation } : null,
    };
  } finally {
    await database.rollBack();
  }
}

class Exploration {
  states = 0;
  moves = 0;
  /** The moves that led to the present state, or to the violation. */
  readonly path: string[] = [];
  /** By state: how many moves deep it was explored from there, and how many paths these moves make. */
  readonly #visited = new Map<string, { movesLeft: number; paths: number }>();
  /** The keys of states whose end was checked. The keys leave out running functions. */
  readonly #checkedEnds = new Set<string>();
  readonly #scenario: Scenario;
  readonly #parts: Parts;

  constructor(scenario: Scenario, parts: Parts) {
    this.#scenario = scenario;
    this.#parts = parts;
  }

  /** @param used how often each kind of move was made @returns the number of paths from here */
  async visit(facts: Facts, used: MoveCounts, movesLeft: number): Promise<number> {
    const key = keyOf(facts, used);
    const visited = this.#visited.get(key);
    if (visited && visited.movesLeft >= movesLeft) return visited.paths;
    if (!visited) {
      this.states += 1;
      await this.#checkEnd(facts);
      if (this.#isBroken) return 1;
    }
    const paths = movesLeft === 0 ? 1 : await this.#makeMoves(facts, used, movesLeft);
    this.#visited.set(key, { movesLeft, paths });
    return paths;
  }

  get #isBroken(): boolean {
    return this.#parts.verdicts.violations.length > 0;
  }

  async #makeMoves(facts: Facts, used: MoveCounts, movesLeft: number): Promise<number> {
    const { database } = this.#parts;
    const savepoint = `left_${movesLeft}`;
    let paths = 0;
    await database.setSavepoint(savepoint);
    // A move changes the world, so a new world is opened for each move, from the same facts.
    let moveCount = 1; // until the first world tells
    for (let i = 0; i < moveCount && !this.#isBroken; i += 1) {
      const world = await World.open(this.#parts, facts);
      const moves = movesOf(world, this.#scenario, used);
      moveCount = moves.length;
      const move = moves[i];
      if (move) paths += await this.#makeMove(world, move, used, movesLeft);
      else await world.abandon();
      await database.rollBackTo(savepoint);
    }
    await database.release(savepoint);
    // A state without moves is the end of one path.
    return Math.max(paths, 1);
  }

  /** @returns the number of paths that begin with this move */
  async #makeMove(world: World, move: Move, used: MoveCounts, movesLeft: number): Promise<number> {
    this.moves += 1;
    this.path.push(move.name);
    await move.make();
    watchPromises(world);
    const facts = world.toFacts();
    await world.abandon();
    const { kind } = move;
    const usedNow = kind ? { ...used, [kind]: (used[kind] ?? 0) + 1 } : used;
    const paths = this.#isBroken ? 0 : await this.visit(facts, usedNow, movesLeft - 1);
    if (!this.#isBroken) this.path.pop();
    return paths;
  }

  /** Checks that all ends well when nothing more is done in this state. */
  async #checkEnd(facts: Facts): Promise<void> {
    // All functions die at the end, so states that differ only in running functions, or in moves made, end alike.
    const key = keyOf({ ...facts, runs: [] }, {});
    if (this.#checkedEnds.has(key)) return;
    this.#checkedEnds.add(key);
    const { database } = this.#parts;
    await database.setSavepoint('before_end');
    await endAtOnce(await World.open(this.#parts, facts));
    await database.rollBackTo('before_end');
    await database.release('before_end');
  }
}

/** A digest of a state, the same for all moves that lead to it. */
function keyOf(facts: Facts, used: MoveCounts): string {
  const { nowMs, ledger, tabs, phoneOrders, delivered, providers, runs } = facts;
  const { backups, restored, promises, excused, opened } = facts;
  // The key leaves out what does not matter for the next moves: the orders' history, PayPal's access tokens,
  // and in which order functions began and promises were made.
  const { moves: _, ...rows } = ledger.rows;
  const paypal = providers.paypal && { ...providers.paypal, tokens: null };
  const sortedRuns = runs.map((run) => JSON.stringify(run)).sort();
  const now = [nowMs, ledger.cart, ledger.prices, rows, tabs, phoneOrders, delivered, used];
  const past = [backups, restored, promises.map(({ source }) => source).sort(), excused, opened];
  const text = JSON.stringify([now, past, providers.stripe, paypal, sortedRuns], withSortedNames);
  return createHash('sha1').update(withNumberedKeys(text)).digest('base64');
}

/** Numbers the random ends of idempotency keys as they appear, so that other random keys give the same text. */
function withNumberedKeys(text: string): string {
  const numbers = new Map<string, string>();
  return text.replaceAll(KEY_END, (end) => {
    const number = numbers.get(end) ?? `key ${numbers.size}`;
    numbers.set(end, number);
    return number;
  });
}

/** For `JSON.stringify`: writes the names of an object in alphabetical order. */
function withSortedNames(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
