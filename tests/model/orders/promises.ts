/**
 * Whether anything is paid again unasked. A promise is what a buyer gave at a provider: money, or a
 * payment that takes days. Two for the same lines, by two orders, are one too many, unless the
 * shopper was asked before the second, or has put the same things into the cart once more.
 */
import type { Fields } from '../../../netlify/lib/http.ts';
import { isOld, type PaymentPromise } from './facts.ts';
import type { WorldView } from './world-view.ts';

const DAY_MS = 24 * 60 * 60_000;
const MONEY = new Set(['confirming', 'paid', 'needs_review', 'paid_late']);

/** The same for the same products and pieces. */
export function linesIn(fields: Fields): string {
  const items = fields['items'] as readonly { product_id: number; quantity: number }[]; // as pages send them
  const pairs = items.map(({ product_id, quantity }) => [product_id, quantity] as const);
  return JSON.stringify(pairs.toSorted(([a], [b]) => a - b));
}

/** Notes new promises, and breaks the rule where one is a second one. */
export function watchPromises(world: WorldView): void {
  const { facts, parts } = world;
  for (const { source, order } of promised(world)) {
    if (facts.promises.some((known) => known.source === source)) continue;
    const opened = facts.opened[source];
    const lines = opened?.lines ?? '';
    const earlier = facts.promises.filter((p) => p.lines === lines && p.order !== order);
    facts.promises.push({ source, order, lines, atMs: facts.nowMs });
    if (opened === undefined || opened.isAgain || isOld(facts, source)) continue;
    for (const first of earlier) {
      if (opened.excused.includes(first.source) || hasFailed(world, first.source)) continue;
      if (isForgotten(world, first)) continue;
      const text = `${source} pays for ${lines} as ${first.source} does, and the shopper was not asked`;
      parts.verdicts.break('asked', text);
    }
  }
}

/** Notes what is excused of an order that has just been placed. */
export function notePlaced(world: WorldView, fields: Fields, order: string): void {
  const { facts } = world;
  if (fields['again'] === true) facts.excused[order] = facts.promises.map(({ source }) => source);
  else if (fields['orderId'] === undefined) {
    facts.excused[order] = excusedNow(world, linesIn(fields), null);
  }
}

/** The promises of which nothing need be said when these lines are to be paid now. */
export function excusedNow(world: WorldView, lines: string, orderId: string | null): string[] {
  const { facts, oracle } = world;
  const known = facts.excused[orderId ?? ''] ?? [];
  const cart = new Map(oracle.seen.cart);
  const pairs = JSON.parse(lines) as readonly (readonly [number, number])[]; // as linesIn wrote them
  const isInCart = pairs.every(([product, pieces]) => (cart.get(product) ?? 0) >= pieces);
  return facts.promises
    .filter((promise) => {
      if (known.includes(promise.source) || isForgotten(world, promise)) return true;
      // A request that names no order comes from no page of the shop.
      const isForgiven = isInCart || orderId === null || facts.nowMs - promise.atMs > DAY_MS;
      return stateOf(world, promise.order) === 'paid' && isForgiven;
    })
    .map(({ source }) => source);
}

/** The server has gone back behind it, and has not heard of its money since. */
function isForgotten(world: WorldView, { source, order }: PaymentPromise): boolean {
  return isOld(world.facts, source) && !MONEY.has(stateOf(world, order));
}

function stateOf({ oracle }: WorldView, order: string): string {
  return oracle.seen.orders.find(({ id }) => id === order)?.state ?? '';
}

function promised({ providers }: WorldView): { readonly source: string; readonly order: string }[] {
  const { stripe, paypal } = providers;
  const cards = stripe.sessions.filter(({ intent }) => intent !== null);
  const wallets = paypal.orders.filter(({ capture }) => capture !== null);
  return [
    ...cards.map(({ id, params }) => ({ source: id, order: params.client_reference_id ?? '' })),
    ...wallets.map(
      ({
        id,
        request: {
          purchase_units: [unit],
        },
      }) => {
        return { source: id, order: unit.custom_id ?? '' };
      },
    ),
  ];
}

/** No money came of it, and none will. */
function hasFailed({ providers: { stripe, paypal } }: WorldView, source: string): boolean {
  const intent = stripe.sessions.find(({ id }) => id === source)?.intent;
  const capture = paypal.orders.find(({ id }) => id === source)?.capture;
  return intent?.status === 'requires_payment_method' || capture?.status === 'DECLINED';
}
