/**
 * Goes through everything that can happen, in every order, up to a depth: at each state every move
 * that is possible there is made. Ways that lead to the same state are followed once. From each
 * state the shop is also left alone, and must come to a good end.
 *
 * A way back is a savepoint of the database, and a world made again from plain data.
 */
import { createHash } from 'node:crypto';
import type { Violation } from '../kit/verdicts.ts';
import { watchPromises } from './promises.ts';
import { endDead } from './settle.ts';
import type { Setup } from './schedule.ts';
import { movesOf, type Scenario, type Used } from './scenarios.ts';
import { addToCart } from './shopper.ts';
import { OrderVerdicts } from './verdicts.ts';
import type { Parts } from './world-view.ts';
import { type Facts, firstFacts } from './facts.ts';
import { World } from './world.ts';

export interface Explored {
  readonly scenario: string;
  readonly depth: number;
  readonly states: number;
  readonly moves: number;
  /** Ways to get into these states without merging them: what a walk through all would take. */
  readonly ways: number;
  /** The first one, with the moves that led to it. */
  readonly found: { readonly path: readonly string[]; readonly violation: Violation } | null;
}

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
    const search = new Search(scenario, parts);
    const ways = await search.visit(world.freeze(), {}, scenario.depth);
    const [violation] = verdicts.violations;
    return {
      scenario: scenario.name,
      depth: scenario.depth,
      states: search.states,
      moves: search.moves,
      ways,
      found: violation ? { path: search.path, violation } : null,
    };
  } finally {
    await database.rollBack();
  }
}

class Search {
  states = 0;
  moves = 0;
  /** The moves that led to where it is, or to the violation. */
  readonly path: string[] = [];
  /** How many more moves were made from a state, and in how many ways. */
  readonly #known = new Map<string, { left: number; ways: number }>();
  readonly #scenario: Scenario;
  readonly #parts: Parts;

  constructor(scenario: Scenario, parts: Parts) {
    this.#scenario = scenario;
    this.#parts = parts;
  }

  /** @returns the number of ways on from here */
  async visit(facts: Facts, used: Used, left: number): Promise<number> {
    const key = keyOf(facts, used);
    const known = this.#known.get(key);
    if (known && known.left >= left) return known.ways;
    if (!known) {
      this.states += 1;
      await this.#leaveAlone(facts);
      if (this.#isBroken) return 1;
    }
    const ways = left === 0 ? 1 : await this.#goOn(facts, used, left);
    this.#known.set(key, { left, ways });
    return ways;
  }

  get #isBroken(): boolean {
    return this.#parts.verdicts.violations.length > 0;
  }

  async #goOn(facts: Facts, used: Used, left: number): Promise<number> {
    const { database } = this.#parts;
    const mark = `left_${left}`;
    let ways = 0;
    await database.mark(mark);
    for (let i = 0, isMore = true; isMore && !this.#isBroken; i += 1) {
      const world = await World.open(this.#parts, facts);
      const moves = movesOf(world, this.#scenario, used);
      const move = moves[i];
      isMore = i + 1 < moves.length;
      if (move) {
        this.moves += 1;
        this.path.push(move.name);
        await move.make();
        watchPromises(world);
        const after = world.freeze();
        await world.abandon();
        const usedAfter = move.uses ? { ...used, [move.uses]: (used[move.uses] ?? 0) + 1 } : used;
        if (!this.#isBroken) ways += await this.visit(after, usedAfter, left - 1);
        if (!this.#isBroken) this.path.pop();
      } else {
        await world.abandon();
      }
      await database.backTo(mark);
    }
    await database.release(mark);
    return Math.max(ways, 1);
  }

  async #leaveAlone(facts: Facts): Promise<void> {
    const { database } = this.#parts;
    await database.mark('alone');
    await endDead(await World.open(this.#parts, facts));
    await database.backTo('alone');
    await database.release('alone');
  }
}

/** The same for the same state, by whatever way it was reached. */
function keyOf(facts: Facts, used: Used): string {
  const { nowMs, accounts, tabs, running, delivered, providers, runs } = facts;
  const { backups, wentBack, promises, excused, opened } = facts;
  const { moves: _, ...seen } = accounts.seen;
  // Access tokens mean nothing.
  const paypal = providers.paypal && { ...providers.paypal, tokens: null };
  const sortedRuns = runs.map((run) => JSON.stringify(run)).sort();
  const all = [nowMs, accounts.cart, accounts.prices, seen, tabs, running, delivered, used];
  const memory = [backups, wentBack, promises.map(({ source }) => source).sort(), excused, opened];
  const text = JSON.stringify([all, memory, providers.stripe, paypal, sortedRuns], sorted);
  return createHash('sha1').update(text).digest('base64');
}

/** Names in their order, whenever they were added. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
