/** Situations that are explored exhaustively (explore.ts), and the moves that are possible in them. */
import { type Job, jobName } from './jobs.ts';
import { backUp, restore } from './restore.ts';
import { type AddMove, addProviderMoves, type Move, type MoveKind } from './provider-moves.ts';
import type { Fault } from './run.ts';
import { cancelOrder, reload } from './shopper.ts';
import type { World } from './world.ts';

/** How often moves of each kind have been made, or may be made. */
export type MoveCounts = Readonly<Partial<Record<MoveKind, number>>>;

/** A situation, and how many moves of each kind can follow. */
export interface Scenario {
  readonly name: string;
  /** How many moves deep `orders.test.ts` explores it. */
  readonly depth: number;
  /** How many moves deep `npm run soak -- all-orders` explores it. */
  readonly soakDepth: number;
  /** How often each kind of move is possible; an absent kind is impossible. */
  readonly limits: MoveCounts;
  /** For each tab, the number of its phone; one tab when absent. */
  readonly phones?: readonly number[];
  /** Happens before the first move. */
  readonly begin?: (world: World) => Promise<void>;
}

/** The order that the first phone places. */
const ORDER = '0a000000-0000-4000-8000-000000000001';
/** The order that the second phone places. */
const OTHER_ORDER = '0a000000-0000-4000-8000-000000000002';
const MINUTE_MS = 60_000;
/** More than the two minutes after which `reconcile` asks the provider of an attempt. */
const UNTIL_ASKED_MS = 3 * MINUTE_MS;
/** More than the hour for which a payment page is open. */
const UNTIL_PAGE_CLOSES_MS = 61 * MINUTE_MS;

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'two providers for one order, and a function dies',
    depth: 7,
    soakDepth: 30,
    limits: { card: 1, paypal: 1, capture: 1, pay: 1, approve: 1, webhook: 1, fault: 1 },
  },
  {
    name: 'paying by card and with PayPal, each begun twice for one order',
    depth: 6,
    soakDepth: 16,
    limits: { card: 2, paypal: 2, pay: 1, approve: 1, capture: 1 },
  },
  {
    name: 'PayPal approved late or with a bad card, captured twice, and a card after all',
    depth: 4,
    soakDepth: 12,
    limits: { approve: 1, 'approve declined': 1, capture: 2, card: 1, fault: 1 },
    begin: (world) => pay(world, 'paypal'),
  },
  {
    name: 'a capture that died is taken up again while the shopper goes on',
    depth: 9,
    soakDepth: 18,
    limits: { approve: 1, capture: 1, card: 1, pay: 1, reconcile: 1 },
    begin: async (world) => {
      await pay(world, 'paypal');
      const [tab] = world.facts.tabs;
      const paypalOrder = tab?.paypalOrders[0] ?? '';
      const capture = await world.start({ kind: 'capture', tab: 0, paypalOrder });
      await world.step(capture);
      // The function dies while its call to PayPal is under way.
      await world.kill(capture, { callHappens: true });
      await world.pass(UNTIL_ASKED_MS);
    },
  },
  {
    name: 'the shop cancels a card order while it is paid',
    depth: 4,
    soakDepth: 11,
    limits: { pay: 1, cancel: 1, status: 1, webhook: 1, minutes: 1, reconcile: 1, fault: 1 },
    begin: (world) => pay(world, 'card'),
  },
  {
    name: 'Stripe does not answer about a cancelled order that was paid',
    depth: 8,
    soakDepth: 12,
    limits: { pay: 1, cancel: 1, status: 1, fault: 1 },
    begin: (world) => pay(world, 'card'),
  },
  {
    name: 'the shopper cancels an order while it is paid',
    depth: 5,
    soakDepth: 10,
    limits: { 'give up': 2, pay: 1, card: 1, webhook: 1, minutes: 1, reconcile: 1 },
    begin: (world) => pay(world, 'card'),
  },
  {
    name: 'the shopper cancels an order while PayPal is asked for its money',
    depth: 6,
    soakDepth: 12,
    limits: { 'give up': 1, approve: 1, capture: 1, paypal: 1, webhook: 1, fault: 1 },
    begin: (world) => pay(world, 'paypal'),
  },
  {
    name: 'the shopper deletes the account while an order is paid',
    depth: 5,
    soakDepth: 10,
    limits: { delete: 2, pay: 1, 'pay later': 1, card: 1, webhook: 1, fault: 1 },
    begin: (world) => pay(world, 'card'),
  },
  {
    name: 'money goes back before the shop has heard that it came',
    depth: 5,
    soakDepth: 10,
    limits: { pay: 1, refund: 2, dispute: 2, webhook: 4, reconcile: 1, minutes: 1 },
    begin: (world) => pay(world, 'card'),
  },
  {
    name: 'a payment that takes days, and PayPal instead',
    depth: 5,
    soakDepth: 13,
    limits: { 'pay later': 1, decide: 1, webhook: 2, paypal: 1, fault: 1 },
    begin: (world) => pay(world, 'card'),
  },
  {
    name: 'pages and orders run out of time',
    depth: 4,
    soakDepth: 13,
    limits: { card: 2, paypal: 1, pay: 1, hour: 2, reconcile: 1 },
  },
  {
    name: 'a second phone pays the same while a payment takes days',
    depth: 5,
    soakDepth: 11,
    phones: [0, 1],
    limits: { other: 2, again: 1, 'pay later': 1, pay: 1, decide: 1, webhook: 1, fault: 1 },
    begin: (world) => pay(world, 'card'),
  },
  {
    name: 'two phones open a page for the same cart',
    depth: 5,
    soakDepth: 12,
    phones: [0, 1],
    limits: { card: 1, paypal: 1, other: 1, pay: 1, approve: 1, capture: 1 },
  },
  {
    name: 'the database is restored while a card is paid',
    depth: 5,
    soakDepth: 12,
    limits: { card: 1, pay: 1, 'pay later': 1, decide: 1, webhook: 1, restore: 1, reconcile: 1 },
    begin: async (world) => {
      await pay(world, 'card');
      await backUp(world);
    },
  },
  {
    name: 'the database is restored to before an order and its PayPal payment',
    depth: 6,
    soakDepth: 12,
    limits: { paypal: 2, approve: 1, capture: 2, webhook: 1, restore: 1, hour: 1 },
    begin: backUp,
  },
];

/** The moves that are possible now. @param used how often each kind of move has been made */
export function movesOf(world: World, { limits }: Scenario, used: MoveCounts): Move[] {
  const isPossible = (kind: MoveKind) => (used[kind] ?? 0) < (limits[kind] ?? 0);
  const { facts, oracle } = world;
  const [backup] = facts.backups;
  const moves: Move[] = [];
  const add: AddMove = (kind, name, make) => {
    if (kind === null || isPossible(kind)) moves.push({ name, kind, make });
  };
  for (const active of world.activeJobs) {
    const name = `${jobName(active.job)}: ${active.run.pending?.name}`;
    add(null, name, () => world.step(active));
    add('fault', `${jobName(active.job)} dies`, () => world.kill(active));
    for (const fault of ['lost before', 'lost after'] as const satisfies readonly Fault[]) {
      add('fault', `${name}, ${fault}`, () => world.step(active, fault));
    }
  }
  for (const kind of ['card', 'paypal'] as const) {
    add(kind, `${kind} begins`, async () => world.start(await payJob(world, kind)));
  }
  if (facts.tabs.length > 1) {
    add('other', 'card begins on the other phone', async () => {
      await world.start(await payJob(world, 'card', { tabIndex: 1 }));
    });
    if (facts.tabs[1]?.askedAbout) {
      add('again', 'the other phone pays again', async () => {
        await world.start(await payJob(world, 'card', { tabIndex: 1, again: true }));
      });
    }
  }
  if (backup) add('restore', 'the database is restored', () => restore(world, backup));
  addProviderMoves(world, add);
  if (oracle.rows.orders.length > 0) {
    add('status', 'status begins', () =>
      world.start({ kind: 'status', tab: 0, order: ORDER, session: null }),
    );
    add('reconcile', 'reconcile begins', () => world.start({ kind: 'reconcile' }));
    add('cancel', 'the shop cancels', () => cancelOrder(world, ORDER));
    add('give up', 'the shopper cancels', () =>
      world.start({ kind: 'cancel', tab: 0, order: ORDER }),
    );
    add('delete', 'the shopper deletes the account', () => world.start({ kind: 'delete', tab: 0 }));
    add('minutes', '3 minutes go by', () => world.pass(UNTIL_ASKED_MS));
    add('hour', 'an hour goes by', () => world.pass(UNTIL_PAGE_CLOSES_MS));
  }
  return moves;
}

/** The job of a press of Pay. All tabs of a phone name the same order. */
async function payJob(
  world: World,
  kind: 'card' | 'paypal',
  { tabIndex = 0, again = false } = {},
): Promise<Job> {
  const tab = world.facts.tabs[tabIndex];
  if (!tab) throw new Error('there is no tab');
  if (tab.lines.length === 0) await reload(world, tab);
  const order = tab.phone === 0 ? ORDER : OTHER_ORDER;
  return { kind, tab: tabIndex, fields: world.cartRequest(tab, order, { again }) };
}

/** The shopper presses Pay, and the function runs to its end. */
async function pay(world: World, kind: 'card' | 'paypal'): Promise<void> {
  await world.runToEnd(await payJob(world, kind));
}
