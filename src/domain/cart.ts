import type { CartLine } from './change.ts';
import { type Minor, parseMinor } from './money.ts';
import type { Product } from './product.ts';

/**
 * The most pieces of one product in an order. A phone adds no more than this. The server stores up to
 * 999, so that it loses nothing that two phones added offline; the cart then says that the line has too many.
 */
export const MAX_LINE_QUANTITY = 99;

/** The sentence for a shopper whose cart this device has not read from the server yet. */
export const CART_NOT_HERE_YET =
  'We haven’t loaded your cart on this device yet. It will appear when you’re back online.';

/** A cart line and its product. */
export interface CartItem {
  readonly line: CartLine;
  /** The product as the catalogue has it, or else as this device last saw it; undefined if it never did. */
  readonly product: Product | undefined;
  /**
   * - `none`    nothing to report
   * - `gone`    the shop no longer has the product, and the total does not count it
   * - `unread`  this device does not have the whole catalogue yet, so it cannot tell whether the shop has the product
   * - `price`   the product's price has changed since it was added; `was` is the old price
   */
  readonly status:
    | { readonly kind: 'none' | 'gone' | 'unread' }
    | { readonly kind: 'price'; readonly was: Minor };
}

export interface CartView {
  readonly items: readonly CartItem[];
  /** Pieces, not lines. */
  readonly count: number;
  readonly total: Minor;
}

/**
 * The cart as screens show it. The total is the sum of price times quantity; a missing price counts
 * as 0 (specification, section 9).
 *
 * @param seen products as this device last saw them
 */
export function cartOf(
  lines: readonly CartLine[],
  productOf: (id: number) => Product | undefined,
  isCatalogueComplete: boolean,
  seen: readonly Product[] = [],
): CartView {
  const items = lines.map((line): CartItem => {
    const product = productOf(line.productId);
    if (!product) {
      const last = seen.find(({ id }) => id === line.productId);
      return { line, product: last, status: { kind: isCatalogueComplete ? 'gone' : 'unread' } };
    }
    const was = parseMinor(line.priceWhenAdded);
    const hasChanged = was !== null && product.price !== null && was !== product.price;
    return { line, product, status: hasChanged ? { kind: 'price', was } : { kind: 'none' } };
  });
  return {
    items,
    count: lines.reduce((sum, { quantity }) => sum + quantity, 0),
    total: items.reduce((sum, item) => sum + (lineTotalOf(item) ?? 0), 0),
  };
}

/** What a line costs; null where its product has no price or has left the shop. */
export function lineTotalOf({ line, product, status }: CartItem): Minor | null {
  const price = product?.price ?? null;
  return price === null || status.kind === 'gone' ? null : price * line.quantity;
}
