/** Parses the request with which a page begins a payment. Unknown fields are ignored. */
import { parseAddress } from '../../src/domain/address.ts';
import type { Fields } from '../../src/domain/fields.ts';
import { isMinor, isOrderId, parseAskedLines } from '../../src/domain/order.ts';
import type { Caller } from './auth.ts';
import { HttpError } from './http.ts';
import type { RequestedOrder } from './payments.ts';

/**
 * @param items the cart's lines; the requests of the two payment methods name that field differently
 * @throws HttpError 400, or 403 when the request names another user
 */
export function readOrderRequest(fields: Fields, items: unknown, caller: Caller): RequestedOrder {
  const { userId, orderId = null, shippingAddress, shownTotal = null, again = false } = fields;
  if (typeof userId !== 'string') {
    throw new HttpError(400, 'The request must say whose order it is.', { code: 'user' });
  }
  if (userId !== caller.id) {
    throw new HttpError(403, 'This order is for somebody else. Please sign in again.', {
      code: 'other-user',
    });
  }
  const lines = parseAskedLines(items);
  if (lines === null) {
    throw new HttpError(400, 'An order has 1 to 100 products, and 1 to 99 of each.', {
      code: 'items',
    });
  }
  const address = parseAddress(shippingAddress);
  if (!address.ok) {
    throw new HttpError(400, 'Please check the shipping address.', {
      code: 'address',
      fields: address.problems,
    });
  }
  if (orderId !== null && !isOrderId(orderId)) {
    throw new HttpError(400, 'The order id must be a lower-case UUID.', { code: 'order-id' });
  }
  if (shownTotal !== null && !isMinor(shownTotal)) {
    throw new HttpError(400, 'The shown total must be a whole number of cents.', {
      code: 'shown-total',
    });
  }
  if (typeof again !== 'boolean') {
    throw new HttpError(400, 'Whether to pay again is either true or false.', { code: 'again' });
  }
  return {
    userId: caller.id,
    email: caller.email,
    orderId,
    lines,
    address: address.address,
    shownTotal,
    again,
  };
}
