/**
 * Checks that no shopper pays the same lines twice without having been asked. A promise is a payment that a
 * buyer has made at a provider, or a payment by bank that takes days and was begun. A second promise for the
 * same lines by another order violates the rule, unless the shop asked the shopper before, or the earlier
 * promise is excused. The shop need not ask about an excused promise, for example because the shopper has
 * put the same things into the cart once more.
 */
import type { Fields } from '../../../src/domain/fields.ts';
import type { WorldView } from './world-view.ts';

const DAY_MS = 24 * 60 * 60_000;

/** The lines of a request as text, equal for the same products and quantities. */
export function linesIn(fields: Fields): string {
  const items = fields['items'] as readonly { product_id: number; quantity: number }[]; // as pages send them
  const pairs = items.map(({ product_id, quantity }) => [product_id, quantity] as const);
  return JSON.stringify(pairs.toSorted(([a], [b]) => a - b));
}

/** Notes new promises, and reports a violation for each one that the shop should have asked about first. */
export function watchPromises(world: WorldView): void {
  const { facts, providers, verdicts } = world;
  for (const { id: source, reference: order, payment } of providers.checkouts) {
    if (payment === null) continue;
    if (facts.promises.some((noted) => noted.source === source)) continue;
    const opened = facts.opened[source];
    const lines = opened?.lines ?? '';
    const earlier = facts.promises.filter(
      (noted) => noted.lines === lines && noted.order !== order,
    );
    facts.promises.push({ source, order, lines, atMs: facts.nowMs });
    if (opened === undefined || opened.isAgain) continue;
    for (const promise of earlier) {
      if (opened.excused.includes(promise.source) || hasFailed(world, promise.source)) continue;
      // The earlier promise was itself a "Pay again": the shop asked then, with the newer payment under way already.
      if (facts.opened[promise.source]?.isAgain) continue;
      const text = `${source} pays for ${lines} as ${promise.source} does, and the shopper was not asked`;
      verdicts.break('asked', text);
    }
  }
}

/** Notes which earlier promises are excused for an order that has just been placed. */
export function notePlaced(world: WorldView, fields: Fields, order: string): void {
  const { facts } = world;
  if (fields['again'] === true) facts.excused[order] = facts.promises.map(({ source }) => source);
  else if (fields['orderId'] === undefined) {
    facts.excused[order] = excusedNow(world, linesIn(fields), null);
  }
}

/** The sources of the promises that are excused when these lines are paid now. */
export function excusedNow(world: WorldView, lines: string, orderId: string | null): string[] {
  const { facts, oracle } = world;
  const excused = facts.excused[orderId ?? ''] ?? [];
  const cart = new Map(oracle.rows.cart);
  const pairs = JSON.parse(lines) as readonly (readonly [number, number])[]; // as linesIn wrote them
  const isInCart = pairs.every(([product, pieces]) => (cart.get(product) ?? 0) >= pieces);
  return facts.promises
    .filter((promise) => {
      if (excused.includes(promise.source)) return true;
      // The shop asks only for a day after a payment (`20261122000500_paid_once.sql`), and not when the same
      // things are in the cart again. A request that names no order comes from no page of the shop.
      const needsNoQuestion = isInCart || orderId === null || facts.nowMs - promise.atMs > DAY_MS;
      return stateOf(world, promise.order) === 'paid' && needsNoQuestion;
    })
    .map(({ source }) => source);
}

/** Empty for an order that is not in the database. */
function stateOf({ oracle }: WorldView, order: string): string {
  return oracle.rows.orders.find(({ id }) => id === order)?.state ?? '';
}

/** Whether a payment has failed for good. */
function hasFailed({ providers }: WorldView, source: string): boolean {
  return providers.checkouts.find(({ id }) => id === source)?.payment?.status === 'failed';
}
