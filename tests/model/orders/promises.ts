/**
 * Checks that a shopper has one attempt at a time that can still be paid, and does not pay the same lines twice
 * without having been asked. A promise is a payment that a buyer has made at a provider, or a payment by bank that
 * takes days and was begun. A second promise for the same lines by another order violates the rule, unless the shop
 * asked the shopper before, or the earlier promise is excused: it was paid more than an hour ago.
 */
import type { Fields } from '../../../src/domain/fields.ts';
import type { WorldView } from './world-view.ts';

const HOUR_MS = 60 * 60_000;

/** The lines of a request as text, equal for the same products and quantities. */
export function linesIn(fields: Fields): string {
  const items = fields['items'] as readonly { product_id: number; quantity: number }[]; // as pages send them
  const pairs = items.map(({ product_id, quantity }) => [product_id, quantity] as const);
  return JSON.stringify(pairs.toSorted(([a], [b]) => a - b));
}

/** Notes new promises, and reports a violation for each one that the shop should have asked about first. */
export function checkPaymentPromises(world: WorldView): void {
  const { facts, oracle, providers, verdicts } = world;
  const payable = oracle.rows.attempts.filter(
    ({ state, expiresMs }) => /creating|open/.test(state) && expiresMs > facts.nowMs,
  );
  if (payable.length > 1) {
    verdicts.break('asked', `${payable.length} attempts can be paid at the same time`);
  }
  for (const { id: source, reference: order, payment } of providers.checkouts) {
    if (payment === null) continue;
    if (facts.promises.some((noted) => noted.source === source)) continue;
    const opened = facts.opened[source];
    const lines = opened?.lines ?? '';
    const earlier = facts.promises.filter(
      (noted) => noted.lines === lines && noted.order !== order,
    );
    facts.promises.push({ source, order, lines, atMs: facts.nowMs });
    // Where no function has answered with the payment page, its request is not known.
    if (opened === undefined || opened.isAgain) continue;
    for (const promise of earlier) {
      if (opened.excused.includes(promise.source) || hasFailed(world, promise.source)) continue;
      // The shop asked before the earlier promise, while this newer payment was under way already.
      if (facts.opened[promise.source]?.isAgain) continue;
      const text = `${source} pays for ${lines} as ${promise.source} does, and the shopper was not asked`;
      verdicts.break('asked', text);
    }
  }
}

/** The sources of the promises about which the shop need not ask when something is paid now. */
export function excusedNow(world: WorldView): string[] {
  const { facts } = world;
  return facts.promises
    .filter(({ order, atMs }) => stateOf(world, order) === 'paid' && facts.nowMs - atMs > HOUR_MS)
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
