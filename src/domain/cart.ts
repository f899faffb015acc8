import type { CartLine } from './change.ts';
import { type Minor, parseMinor } from './money.ts';
import type { Product } from './product.ts';

/**
 * The most pieces of one product in an order. A phone adds no more than these. The server stores up to
 * 999, so that it loses nothing that two phones added offline; the line then says that it is too many.
 */
export const MAX_LINE_QUANTITY = 99;

/** For a shopper whose cart this device has not read from the server yet. */
export const CART_NOT_HERE_YET =
  'The cart of your other devices is not on this one yet. It appears when the shop has been reached.';

/** A cart line with what the catalogue says of its product now. */
export interface CartItem {
  readonly line: CartLine;
  /** Undefined when the catalogue does not have it. */
  readonly product: Product | undefined;
  /**
   * - `gone`    the shop no longer has the product
   * - `unread`  this device does not have the whole catalogue yet, so it cannot tell
   * - `price`   its price has changed since it was added; `was` is the old one
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
 */
export function cartOf(
  lines: readonly CartLine[],
  productOf: (id: number) => Product | undefined,
  isCatalogueComplete: boolean,
): CartView {
  const items = lines.map((line): CartItem => {
    const product = productOf(line.productId);
    if (!product) {
      return { line, product, status: { kind: isCatalogueComplete ? 'gone' : 'unread' } };
    }
    const was = parseMinor(line.priceWhenAdded);
    const hasChanged = was !== null && product.price !== null && was !== product.price;
    return { line, product, status: hasChanged ? { kind: 'price', was } : { kind: 'none' } };
  });
  return {
    items,
    count: lines.reduce((sum, { quantity }) => sum + quantity, 0),
    total: items.reduce((sum, { line, product }) => sum + (product?.price ?? 0) * line.quantity, 0),
  };
}
