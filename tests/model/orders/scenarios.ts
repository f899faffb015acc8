/** What can happen in an exhaustive search: a few people and functions, each a few times. */
import { type Job, nameOf } from './jobs.ts';
import { backUp, restore } from './restore.ts';
import { type Add, addProviderMoves, type Limited, type Move } from './provider-moves.ts';
import type { Fault } from './run.ts';
import { cancelOrder, reload } from './shopper.ts';
import type { World } from './world.ts';
import type { Going } from './world-view.ts';

export type Used = Readonly<Partial<Record<Limited, number>>>;

export interface Scenario {
  readonly name: string;
  /** How many moves deep: in `npm test`, and in `npm run soak`. */
  readonly depth: number;
  readonly deep: number;
  /** How often each may happen; what is absent does not. */
  readonly most: Used;
  /** Which phone each tab is on; one tab when absent. */
  readonly phones?: readonly number[];
  /** What has happened before. */
  readonly begin?: (world: World) => Promise<void>;
}

const ORDER = '0a000000-0000-4000-8000-000000000001';
/** As a second phone calls it. */
const OTHER = '0a000000-0000-4000-8000-000000000002';
const MINUTE_MS = 60_000;

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'two providers for one order, and a function dies',
    depth: 7,
    deep: 30,
    most: { card: 1, wallet: 1, capture: 1, pay: 1, approve: 1, message: 1, fault: 1 },
  },
  {
    name: 'each button twice, in two tabs',
    depth: 6,
    deep: 16,
    most: { card: 2, wallet: 2, pay: 1, approve: 1, capture: 1 },
  },
  {
    name: 'PayPal approved late or with a bad card, captured twice, and a card after all',
    depth: 4,
    deep: 12,
    most: { approve: 1, 'approve declined': 1, capture: 2, card: 1, fault: 1 },
    begin: async (world) => void (await through(world, await pressOf(world, 'wallet'))),
  },
  {
    name: 'a capture that died is taken up again while the shopper goes on',
    depth: 9,
    deep: 18,
    most: { approve: 1, capture: 1, card: 1, pay: 1, reconcile: 1 },
    begin: async (world) => {
      await through(world, await pressOf(world, 'wallet'));
      const [tab] = world.facts.tabs;
      const wallet = tab?.wallets[0] ?? '';
      const capture = await world.start({ kind: 'capture', tab: 0, wallet });
      await world.step(capture, null);
      await world.kill(capture, true);
      await world.pass(3 * MINUTE_MS, () => false);
    },
  },
  {
    name: 'a card order is cancelled while it is paid',
    depth: 4,
    deep: 11,
    most: { pay: 1, cancel: 1, status: 1, message: 1, minutes: 1, reconcile: 1, fault: 1 },
    begin: async (world) => void (await through(world, await pressOf(world, 'card'))),
  },
  {
    name: 'Stripe does not answer about a cancelled order that was paid',
    depth: 8,
    deep: 12,
    most: { pay: 1, cancel: 1, status: 1, fault: 1 },
    begin: async (world) => void (await through(world, await pressOf(world, 'card'))),
  },
  {
    name: 'the shopper cancels an order while it is paid',
    depth: 5,
    deep: 12,
    most: { 'give up': 2, pay: 1, card: 1, message: 1, minutes: 1, reconcile: 1 },
    begin: async (world) => void (await through(world, await pressOf(world, 'card'))),
  },
  {
    name: 'the shopper cancels an order while PayPal is asked for its money',
    depth: 6,
    deep: 12,
    most: { 'give up': 1, approve: 1, capture: 1, wallet: 1, message: 1, fault: 1 },
    begin: async (world) => void (await through(world, await pressOf(world, 'wallet'))),
  },
  {
    name: 'the shopper deletes the account while an order is paid',
    depth: 5,
    deep: 12,
    most: { delete: 2, pay: 1, 'pay later': 1, card: 1, message: 1, fault: 1 },
    begin: async (world) => void (await through(world, await pressOf(world, 'card'))),
  },
  {
    name: 'money goes back before the shop has heard that it came',
    depth: 5,
    deep: 10,
    most: { pay: 1, refund: 2, dispute: 2, message: 4, reconcile: 1, minutes: 1 },
    begin: async (world) => void (await through(world, await pressOf(world, 'card'))),
  },
  {
    name: 'a payment that takes days, and PayPal instead',
    depth: 5,
    deep: 13,
    most: { 'pay later': 1, decide: 1, message: 2, wallet: 1, fault: 1 },
    begin: async (world) => void (await through(world, await pressOf(world, 'card'))),
  },
  {
    name: 'pages and orders run out of time',
    depth: 4,
    deep: 13,
    most: { card: 2, wallet: 1, pay: 1, hour: 2, reconcile: 1 },
  },
  {
    name: 'a second phone pays the same while a payment takes days',
    depth: 5,
    deep: 11,
    phones: [0, 1],
    most: { other: 2, again: 1, 'pay later': 1, pay: 1, decide: 1, message: 1, fault: 1 },
    begin: async (world) => void (await through(world, await pressOf(world, 'card'))),
  },
  {
    name: 'two phones open a page for the same cart',
    depth: 5,
    deep: 12,
    phones: [0, 1],
    most: { card: 1, wallet: 1, other: 1, pay: 1, approve: 1, capture: 1 },
  },
  {
    name: 'the database goes back while a card is paid',
    depth: 5,
    deep: 12,
    most: { card: 1, pay: 1, 'pay later': 1, decide: 1, message: 1, restore: 1, reconcile: 1 },
    begin: async (world) => {
      await through(world, await pressOf(world, 'card'));
      await backUp(world);
    },
  },
  {
    name: 'the database goes back behind an order and its PayPal payment',
    depth: 6,
    deep: 12,
    most: { wallet: 2, approve: 1, capture: 2, message: 1, restore: 1, hour: 1 },
    begin: backUp,
  },
];

/** All that can happen next. */
export function movesOf(world: World, { most }: Scenario, used: Used): Move[] {
  const may = (what: Limited) => (used[what] ?? 0) < (most[what] ?? 0);
  const { facts, oracle } = world;
  const [backup] = facts.backups;
  const moves: Move[] = [];
  const add: Add = (uses, name, make) => {
    if (uses === null || may(uses)) moves.push({ name, uses, make });
  };
  for (const going of world.going) {
    const name = `${nameOf(going.job)}: ${going.run.pending?.what}`;
    add(null, name, () => world.step(going, null));
    add('fault', `${nameOf(going.job)} dies`, () => world.kill(going, false));
    for (const fault of ['lost before', 'lost after'] as const satisfies readonly Fault[]) {
      add('fault', `${name}, ${fault}`, () => world.step(going, fault));
    }
  }
  for (const kind of ['card', 'wallet'] as const) {
    add(kind, `${kind} begins`, async () => world.start(await pressOf(world, kind)));
  }
  if (facts.tabs.length > 1) {
    add('other', 'card begins on the other phone', async () => {
      await world.start(await pressOf(world, 'card', 1));
    });
    if (facts.tabs[1]?.asked) {
      add('again', 'the other phone pays again', async () => {
        await world.start(await pressOf(world, 'card', 1, true));
      });
    }
  }
  if (backup) add('restore', 'the database goes back', () => restore(world, backup, () => false));
  addProviderMoves(world, add);
  if (oracle.seen.orders.length > 0) {
    add('status', 'status begins', () =>
      world.start({ kind: 'status', tab: 0, order: ORDER, session: null }),
    );
    add('reconcile', 'reconcile begins', () => world.start({ kind: 'reconcile' }));
    add('cancel', 'cancels', () => cancelOrder(world, ORDER));
    add('give up', 'the shopper cancels', () =>
      world.start({ kind: 'cancel', tab: 0, order: ORDER }),
    );
    add('delete', 'the shopper deletes the account', () => world.start({ kind: 'delete', tab: 0 }));
    add('minutes', '3 minutes go by', () => world.pass(3 * MINUTE_MS, () => false));
    add('hour', 'an hour goes by', () => world.pass(61 * MINUTE_MS, () => false));
  }
  return moves;
}

/** A press of Pay: all tabs of a phone name the same order. */
async function pressOf(world: World, kind: 'card' | 'wallet', at = 0, again = false): Promise<Job> {
  const tab = world.facts.tabs[at];
  if (!tab) throw new Error('there is no tab');
  if (tab.lines.length === 0) await reload(world, tab);
  const order = tab.phone === 0 ? ORDER : OTHER;
  return { kind, tab: at, fields: world.fieldsFor(tab, order, again) };
}

/** Goes through a job from its beginning to its end. */
export async function through(world: World, job: Job): Promise<Going> {
  const going = await world.start(job);
  await world.finish(going);
  return going;
}
