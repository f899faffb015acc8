/** Staff send orders, and the shop mails: what they do in a schedule, and what must hold. */
import type { Chance } from '../kit/chance.ts';
import type { OrderRow } from './model-database.ts';
import type { StaffJob } from './staff.ts';
import type { ActiveJob, WorldView } from './world-view.ts';

/** The part of the world that these actions use; `World` has it. */
interface SendingWorld extends WorldView {
  pass(ms: number): Promise<void>;
  runToEnd(job: StaffJob | { readonly kind: 'mails' }): Promise<unknown>;
}

/** A person of the staff looks at the orders, or changes some of those that the page shows, perhaps late. */
export async function useStaffPage(
  world: WorldView,
  chance: Chance,
  begin: (job: StaffJob) => Promise<void>,
): Promise<void> {
  const { facts, oracle, verdicts } = world;
  if (facts.staffPage.length === 0 || chance.happens(0.4)) {
    verdicts.action('staff looks at the orders');
    // Mostly the list of what is to be sent; a search finds others.
    facts.staffPage = oracle.rows.orders
      .filter(({ state }) => state === 'paid' || chance.happens(0.1))
      .map(({ id, refunded, sentAt }) => ({ id, refunded, sentAt }));
    return;
  }
  const orders = facts.staffPage.filter(() => chance.happens(0.7));
  if (orders.length === 0) return;
  const change = chance.happens(0.7) ? 'send' : 'unsend';
  await begin({ kind: 'staff', change, orders });
}

/** Checks, after each call of a job, that staff have sent or taken back only orders as their page showed them. */
export function checkSending(
  { oracle, verdicts }: WorldView,
  { job }: ActiveJob,
  before: readonly OrderRow[],
): void {
  const sentBefore = new Map(before.map(({ id, sentAt }) => [id, sentAt]));
  for (const { id, sentAt, state, refunded } of oracle.rows.orders) {
    const last = sentBefore.get(id) ?? null;
    if (sentAt === last) continue;
    const seen = job.kind === 'staff' ? job.orders.find((order) => order.id === id) : undefined;
    if (sentAt === null) {
      if (seen?.sentAt !== last) verdicts.break('sent', `another marking of ${id} was taken back`);
    } else if (seen === undefined) verdicts.break('sent', `order ${id} is sent, and nobody did it`);
    else if (state !== 'paid') verdicts.break('sent', `order ${id} is ${state} and sent`);
    else if (seen.refunded !== refunded) {
      verdicts.break('sent', `order ${id} is sent, and staff did not know of its refund`);
    }
  }
}

/** The shop tries a mail again after at most an hour. */
const RETRY_MS = 61 * 60_000;
const MAX_ROUNDS = 5;

/** Two of the staff send what is paid, perhaps both the same orders; then the shop mails until nothing waits. */
export async function sendAndMail(world: SendingWorld, chance: Chance): Promise<void> {
  for (const { id, refunded, sentAt, state } of world.oracle.rows.orders) {
    const isTried = state === 'paid' && chance.happens(0.8);
    const job = { kind: 'staff', change: 'send', orders: [{ id, refunded, sentAt }] } as const;
    const times = isTried ? chance.between(1, 2) : 0;
    for (let i = 0; i < times; i += 1) await world.runToEnd(job);
  }
  for (let round = 0; round < MAX_ROUNDS && waitingMails(world).length > 0; round += 1) {
    await world.pass(RETRY_MS);
    await world.runToEnd({ kind: 'mails' });
  }
  for (const [name] of waitingMails(world)) world.verdicts.break('told', `${name} was never sent`);
}

function waitingMails({ oracle }: WorldView) {
  return oracle.rows.mails.filter(([, isNoted]) => !isNoted);
}

/**
 * Checks that markings of an order as sent alternate with markings taken back, and that the buyer was told of a
 * payment and a sending. A mail may go twice only where the shop did not hear, or could not note, that it went.
 */
export function checkTold({ facts, oracle, verdicts }: WorldView): void {
  const { rows } = oracle;
  for (const { id, state, sentAt, hasContact } of rows.orders) {
    const isSent = sentAt !== null;
    const kinds = rows.sendings.flatMap(([order, kind]) => (order === id ? [kind] : []));
    const expected = kinds.map((_, i) => (i % 2 === 0 ? 'sent' : 'unsent'));
    if (kinds.join() !== expected.join() || isSent !== (kinds.length % 2 === 1)) {
      verdicts.break('sent', `order ${id} was ${kinds.join(', ')}`);
    }
    if (isSent) verdicts.count('orders sent');
    for (const [happened, mail] of [
      [state === 'paid', 'order_paid'],
      [isSent, 'order_sent'],
    ] as const) {
      const isTold = facts.mails.some((name) => name.startsWith(`${mail} ${id}`));
      if (happened && hasContact && !isTold) verdicts.break('told', `no ${mail} of ${id} went`);
    }
  }
  const repeats = facts.mails.length - new Set(facts.mails).size;
  if (repeats > facts.unheardMails) {
    verdicts.break('told', `${repeats} mails went twice, ${facts.unheardMails} were not heard of`);
  }
}
