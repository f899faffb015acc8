/** Checks what must hold at the end of a schedule: compares the providers' receipts with the database. */
import { countedEvents, type EventRow, type OrderRow } from './model-database.ts';
import { checkPaymentPromises } from './promises.ts';
import { checkMoneyBack } from './money-back.ts';
import { checkTold } from './sending.ts';
import type { World } from './world.ts';

/** Checks what only the end of a schedule can show, and the payment promises a last time. */
export function checkEnd(world: World): void {
  const { verdicts, oracle } = world;
  const { rows } = oracle;
  const orders = new Map(rows.orders.map((order) => [order.id, order]));
  for (const { state } of rows.orders) verdicts.count(`orders ${state}`);
  if (!rows.hasAccount) verdicts.count('accounts deleted');
  checkPaymentPromises(world);
  checkReceipts(world, orders);
  checkPaid(world);
  checkMoves(world);
  checkMoneyBack(world);
  checkTold(world);
}

/** Checks that each payment is on its own order, with its amount. */
function checkReceipts(
  { oracle, providers, verdicts }: World,
  orders: Map<string, OrderRow>,
): void {
  const events = countedEvents(oracle.rows);
  for (const { provider, paymentId, reference, amountMinor } of providers.receipts) {
    const name = `${provider} payment ${paymentId} of ${amountMinor}`;
    const counted = events.filter((e) => e.provider === provider && e.capture === paymentId);
    const [event] = counted;
    if (counted.length > 1) verdicts.break('twice', `${name} was counted ${counted.length} times`);
    const order = event && orders.get(event.order ?? '');
    if (!event || !order) verdicts.break('belongs', `${name} is on no order`);
    else if (event.order !== reference) verdicts.break('belongs', `${name} is on another order`);
    else if (event.amount !== amountMinor)
      verdicts.break('belongs', `${name} counts ${event.amount}`);
    else if (!showsPayment(order, event)) {
      verdicts.break('belongs', `${name} is ${event.result}, but its order is ${order.state}`);
    }
  }
}

/** Whether an order shows a payment: it is paid, or its remark for the shop's staff names the payment. */
function showsPayment({ state, review }: OrderRow, { result, capture }: EventRow): boolean {
  if (result === 'paid') return state === 'paid';
  const isRemarked = review?.includes(String(capture)) ?? false;
  return isRemarked && (result === 'paid_again' || state === result);
}

/** Checks that no order is paid without money, or by more than one payment. */
function checkPaid(world: World): void {
  const { oracle, providers, verdicts } = world;
  const { rows } = oracle;
  const taken = new Set(providers.receipts.map(({ provider, paymentId }) => provider + paymentId));
  for (const { provider, capture, order } of countedEvents(rows)) {
    if (!taken.has(provider + capture)) {
      const text = `order ${order} has ${provider} money ${capture} that was never taken`;
      verdicts.break('unpaid', text);
    }
  }
  for (const { id, state, total } of rows.orders) {
    const paying = countedEvents(rows).filter(
      ({ order, result, amount }) => order === id && result === 'paid' && amount === total,
    );
    if (state === 'paid' && paying.length !== 1) {
      verdicts.break('unpaid', `order ${id} is paid by ${paying.length} payments`);
    }
    const receipts = providers.receipts.filter(({ reference }) => reference === id);
    if (receipts.length > 1) {
      const list = receipts
        .map(({ provider, paymentId }) => `${provider} ${paymentId}`)
        .join(' and ');
      verdicts.break('twice', `order ${id} was paid by ${list}`);
    }
  }
}

/** Checks that each order's history leads from `pending` to its state, and through `paid` at most once. */
function checkMoves({ oracle, verdicts }: World): void {
  for (const { id, state } of oracle.rows.orders) {
    let current = 'pending';
    let timesPaid = 0;
    for (const [order, from, to] of oracle.rows.moves) {
      if (order !== id) continue;
      if (from !== current)
        verdicts.break('moves', `order ${id} was ${current} and moved from ${from}`);
      current = to;
      if (to === 'paid') timesPaid += 1;
    }
    if (current !== state)
      verdicts.break('moves', `order ${id} is ${state}, its history ${current}`);
    if (timesPaid > 1) verdicts.break('twice', `order ${id} was paid ${timesPaid} times`);
  }
}
