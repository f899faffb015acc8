/**
 * Handles a press of Pay: waits until the server has the cart, stores the order's id, and sends the request.
 *
 * The id belongs to the content of the order: lines, address and the total on the screen. A second
 * press, in another tab or after a lost answer, sends the same id, and the server makes one order.
 */
import { claimOrderId, releaseOrderId } from '../../db/checkout-draft.ts';
import type { WeftDatabase } from '../../db/database.ts';
import { isStorageFailure } from '../../db/storage-failure.ts';
import { type Saving, shopperStore } from '../../db/shopper-store.ts';
import type { StoredAddress } from '../../domain/address.ts';
import { type CartItem, type CartView, MAX_LINE_QUANTITY } from '../../domain/cart.ts';
import type { Minor } from '../../domain/money.ts';
import { type AskedLine, MAX_ORDER_LINES } from '../../domain/order.ts';
import { nameOf } from '../../domain/product.ts';
import type { CheckoutAnswer, CheckoutFailure, PayRequest } from '../../remote/checkout.ts';

/** What the screen showed when the shopper pressed Pay. */
export interface CheckoutRequest {
  readonly uid: string;
  readonly lines: readonly AskedLine[];
  readonly address: StoredAddress;
  readonly shownTotal: Minor;
  /** The earlier order for the same lines, when the shopper chose to pay again; else null. */
  readonly earlierOrderId: string | null;
}

/** The shopper's cart at one moment. */
export interface CartState {
  readonly uid: string;
  readonly lines: readonly AskedLine[];
  /** How many changes the server has not acknowledged. */
  readonly unsaved: number;
  readonly saving: Saving;
}

/** The cart at this moment; null while nobody is signed in. */
export function cartNow(): CartState | null {
  const view = shopperStore.snapshot();
  if (!view) return null;
  const { shopper, data, unsaved, saving } = view;
  const lines = data.cart.map(({ productId, quantity }) => ({ product_id: productId, quantity }));
  return { uid: shopper.uid, lines, unsaved, saving };
}

/** A sentence for each reason why the shopper cannot order the cart as it is; empty when they can. */
export function validationErrorsOf(cart: CartView): string[] {
  if (cart.items.some(({ status }) => status.kind === 'unread')) {
    return ['The products are still loading. You can pay once they’ve loaded.'];
  }
  const sentences = cart.items.flatMap((item) => validationErrorOf(item) ?? []);
  if (cart.items.length > MAX_ORDER_LINES) {
    sentences.push(
      `You can order up to ${MAX_ORDER_LINES} different products at once. You have ${cart.items.length} in your cart.`,
    );
  }
  return sentences;
}

function validationErrorOf(item: CartItem): string | null {
  const { line, product, status } = item;
  const name = product ? nameOf(product) : 'A product in your cart';
  if (!product || status.kind === 'gone') return goneWords(name);
  if (product.price === null) {
    return `${name} doesn’t have a price yet, so it can’t be ordered. Remove it to order the rest.`;
  }
  if (line.quantity > MAX_LINE_QUANTITY) {
    return `${name}: you can order up to ${MAX_LINE_QUANTITY} at once. You have ${line.quantity} in your cart.`;
  }
  return null;
}

export function goneWords(name: string): string {
  return `${name} is no longer in the shop. Remove it to order the rest.`;
}

export interface PlacingTools {
  readonly db: WeftDatabase;
  readonly cart: () => CartState | null;
  /** Calls back whenever the cart may have changed. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly newId: () => string;
  /** How long to wait until the server has the cart. */
  readonly timeoutMs: number;
}

/**
 * Why the page could not place the order, beside the failures that the shop answers with.
 *
 * - `unsaved`     the server does not have all changes to the cart yet
 * - `changed`     the cart has changed while the page waited
 * - `not-stored`  this device could not store the order's id
 */
export type PlacingFailure =
  | CheckoutFailure
  | { readonly kind: 'unsaved'; readonly saving: Saving }
  | { readonly kind: 'changed' | 'not-stored' };

export type Placed<T> =
  | { readonly ok: true; readonly value: T; readonly orderId: string }
  | { readonly ok: false; readonly failure: PlacingFailure };

/** The shop's codes for an id that it never accepts for this content again: the order needs a new id. */
const USED_UP = new Set(['order-differs', 'order-closed']);

const PAID_ALREADY = 'You’ve already paid for these items.';

/** Resolves with the answer of `send`, or with the reason why the order could not be placed. */
export async function placeOrder<T>(
  tools: PlacingTools,
  request: CheckoutRequest,
  send: (request: PayRequest) => Promise<CheckoutAnswer<T>>,
): Promise<Placed<T>> {
  const state = await savedCart(tools);
  if (state?.uid !== request.uid) return failed({ kind: 'sign-in' });
  if (state.unsaved > 0) return failed({ kind: 'unsaved', saving: state.saving });
  const { uid, earlierOrderId, ...order } = request;
  const cartKey = linesKeyOf(order.lines);
  if (linesKeyOf(state.lines) !== cartKey) return failed({ kind: 'changed' });
  const content = JSON.stringify([cartKey, order.address, order.shownTotal]);
  /** An id that this order cannot use; it is replaced by a new one, at most once. */
  let usedUp: string | null = null;
  for (;;) {
    let orderId: string | null;
    try {
      if (usedUp !== null) await releaseOrderId(tools.db, usedUp);
      orderId = await claimOrderId(tools.db, { uid, content }, tools.newId);
    } catch (error) {
      if (isStorageFailure(error)) return failed({ kind: 'not-stored' });
      throw error;
    }
    if (orderId === null) return failed({ kind: 'sign-in' });
    const isFirst = usedUp === null;
    // This id names the earlier order; a second payment needs an order of its own.
    if (orderId === earlierOrderId && isFirst) {
      usedUp = orderId;
      continue;
    }
    const answer = await send({ ...order, orderId, again: earlierOrderId !== null });
    if (answer.ok) return { ok: true, value: answer.value, orderId };
    const { failure } = answer;
    if (failure.kind === 'order-paid' || failure.kind === 'payment-under-way') {
      const message = failure.kind === 'order-paid' ? PAID_ALREADY : null;
      return failed({ kind: 'being-paid', orderId, placedAt: null, message });
    }
    if (failure.kind !== 'rejected' || !USED_UP.has(failure.code ?? '') || !isFirst) {
      return failed(failure);
    }
    usedUp = orderId;
  }
}

/** The cart once the server has all of its changes, or when waiting no longer helps. */
function savedCart({ cart, subscribe, timeoutMs }: PlacingTools): Promise<CartState | null> {
  return new Promise((resolve) => {
    const check = () => {
      const state = cart();
      const isWorthWaiting = state && state.unsaved > 0 && state.saving !== 'sign-in';
      if (!isWorthWaiting) end();
    };
    const end = () => {
      clearTimeout(timer);
      unsubscribe();
      resolve(cart());
    };
    const timer = setTimeout(end, timeoutMs);
    const unsubscribe = subscribe(check);
    check();
  });
}

/** A key of products and quantities; the order of the lines and their prices make no difference. */
function linesKeyOf(lines: readonly AskedLine[]): string {
  const pairs = lines.map(({ product_id, quantity }) => [product_id, quantity] as const);
  return JSON.stringify(pairs.toSorted(([a], [b]) => a - b));
}

function failed(failure: PlacingFailure): { ok: false; failure: PlacingFailure } {
  return { ok: false, failure };
}
