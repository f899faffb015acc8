/** What must hold once all is settled: the providers' receipts against the shop's database. */
import type { ForgottenPayments } from '../../../netlify/lib/after-restore.ts';
import type { Seen, SeenEvent, SeenOrder } from './fake-database.ts';
import { watchPromises } from './promises.ts';
import { isOld } from './facts.ts';
import { checkBack } from './money-back.ts';
import type { World } from './world.ts';

/** Money that the database have counted. */
export function countedEvents({ event }: Seen): readonly SeenEvent[] {
  return event.filter(
    ({ outcome, result }) => outcome === 'captured' && result !== 'repeat' && result !== 'unknown',
  );
}

/** Money that after_restore lists, each as its provider and id. */
type Listed = ReadonlySet<string>;

/** Looks for what a restore has lost, as the people of the shop do. */
async function listForgotten(world: World): Promise<Listed> {
  const sinceMs = world.facts.wentBack?.sinceMs ?? world.beganMs;
  const asking = await world.start({ kind: 'after-restore', sinceMs });
  await world.finish(asking);
  const { outcome } = asking.run;
  if (!outcome?.ok) return new Set();
  const { forgotten } = outcome.value as ForgottenPayments; // what that function returns
  const arrived = forgotten.filter(({ hasArrived }) => hasArrived);
  return new Set(arrived.map(({ provider, paymentId }) => provider + paymentId));
}

export async function checkEnd(world: World): Promise<void> {
  const { verdicts } = world.parts;
  const { seen } = world.oracle;
  const orders = new Map(seen.orders.map((order) => [order.id, order]));
  for (const { state } of seen.orders) verdicts.count(`orders ${state}`);
  if (!seen.hasAccount) verdicts.count('accounts deleted');
  const listed = await listForgotten(world);
  watchPromises(world);
  checkReceipts(world, orders, listed);
  checkPaid(world);
  checkSum(world, listed);
  checkMoves(world);
  checkBack(world);
}

function checkReceipts(
  { oracle, providers, parts, facts }: World,
  orders: Map<string, SeenOrder>,
  listed: Listed,
): void {
  const { verdicts } = parts;
  const event = countedEvents(oracle.seen);
  for (const { provider, paymentId, reference, amountMinor } of providers.receipts) {
    const name = `${provider} payment ${paymentId} of ${amountMinor}`;
    const rows = event.filter((row) => row.provider === provider && row.capture === paymentId);
    const [row] = rows;
    if (rows.length > 1) verdicts.break('twice', `${name} was counted ${rows.length} times`);
    const order = row && orders.get(row.order ?? '');
    if (listed.has(provider + paymentId)) {
      if (row) verdicts.break('belongs', `${name} is listed, and on an order`);
      else if (!facts.wentBack) verdicts.break('belongs', `${name} is only listed`);
      continue;
    }
    if (!row || !order) verdicts.break('belongs', `${name} is on no order`);
    else if (row.order !== reference) verdicts.break('belongs', `${name} is on another order`);
    else if (!saysSo(order, row)) {
      verdicts.break('belongs', `${name} is ${row.result}, but its order is ${order.state}`);
    }
  }
}

/** Where a person has to look, the remark names the payment. */
function saysSo({ state, review }: SeenOrder, { result, capture }: SeenEvent): boolean {
  if (result === 'paid') return state === 'paid';
  const isRemarked = review?.includes(String(capture)) ?? false;
  return isRemarked && (result === 'paid_again' || state === result);
}

function checkPaid(world: World): void {
  const { oracle, providers, parts } = world;
  const { verdicts } = parts;
  const { seen } = oracle;
  const known = new Set(providers.receipts.map(({ provider, paymentId }) => provider + paymentId));
  for (const { provider, capture, order } of countedEvents(seen)) {
    if (!known.has(provider + capture)) {
      verdicts.break(
        'unpaid',
        `order ${order} has ${provider} money ${capture} that was never taken`,
      );
    }
  }
  for (const { id, state, total } of seen.orders) {
    const event = countedEvents(seen).filter(({ order }) => order === id);
    const paying = event.filter(({ result, amount }) => result === 'paid' && amount === total);
    if (state === 'paid' && paying.length !== 1) {
      verdicts.break('unpaid', `order ${id} is paid by ${paying.length} payments`);
    }
    const taken = providers.receipts.filter(({ reference }) => reference === id);
    if (taken.length > 1 && !taken.some(({ sourceId }) => isOld(world.facts, sourceId))) {
      const list = taken.map(({ provider, paymentId }) => `${provider} ${paymentId}`).join(' and ');
      verdicts.break('twice', `order ${id} was paid by ${list}`);
    }
  }
}

function checkSum({ oracle, providers, parts }: World, listed: Listed): void {
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const counted = providers.receipts.filter(
    ({ provider, paymentId }) => !listed.has(provider + paymentId),
  );
  const taken = sum(counted.map(({ amountMinor }) => amountMinor));
  const paid = oracle.seen.orders.filter(({ state }) => state === 'paid');
  const flagged = countedEvents(oracle.seen).filter(({ result }) => result !== 'paid');
  const booked =
    sum(paid.map(({ total }) => total)) + sum(flagged.map(({ amount }) => amount ?? 0));
  if (taken !== booked) {
    parts.verdicts.break('sum', `${taken} cents were taken, the database say ${booked}`);
  }
}

/** The history tells the way from the beginning to the end, and each order becomes paid once. */
function checkMoves({ oracle, parts }: World): void {
  for (const { id, state } of oracle.seen.orders) {
    let at = 'pending';
    let timesPaid = 0;
    for (const [order, from, to] of oracle.seen.moves) {
      if (order !== id) continue;
      if (from !== at)
        parts.verdicts.break('moves', `order ${id} was ${at} and moved from ${from}`);
      at = to;
      if (to === 'paid') timesPaid += 1;
    }
    if (at !== state) parts.verdicts.break('moves', `order ${id} is ${state}, its history ${at}`);
    if (timesPaid > 1) parts.verdicts.break('twice', `order ${id} was paid ${timesPaid} times`);
  }
}
