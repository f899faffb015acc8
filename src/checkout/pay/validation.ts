import { type CartItem, type CartView, MAX_LINE_QUANTITY } from '../../domain/cart.ts';
import { MAX_ORDER_LINES } from '../../domain/order.ts';
import { nameOf } from '../../domain/product.ts';

/** A sentence for each reason why the shopper cannot order the cart as it is; empty when they can. */
export function validationErrorsOf(cart: CartView): string[] {
  if (cart.items.some(({ status }) => status.kind === 'unread')) {
    return ['The catalogue is still on its way to this device. You can pay when it is here.'];
  }
  const sentences = cart.items.flatMap((item) => validationErrorOf(item) ?? []);
  if (cart.items.length > MAX_ORDER_LINES) {
    sentences.push(
      `One order holds at most ${MAX_ORDER_LINES} different products, and there are ${cart.items.length} in the cart.`,
    );
  }
  return sentences;
}

function validationErrorOf(item: CartItem): string | null {
  const { line, product, status } = item;
  const name = product ? nameOf(product) : 'A product in the cart';
  if (!product || status.kind === 'gone') {
    return `${name} has left the shop. Remove it to order the rest.`;
  }
  if (product.price === null) {
    return `${name} has no price at the moment and cannot be ordered. Remove it to order the rest.`;
  }
  if (line.quantity > MAX_LINE_QUANTITY) {
    return `One order holds at most ${MAX_LINE_QUANTITY} of ${name}, and there are ${line.quantity} in the cart.`;
  }
  return null;
}
