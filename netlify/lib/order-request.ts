/** Parses the request with which a page begins a payment. Unknown fields are ignored. */
import * as v from 'valibot';
import { parseAddress } from '../../src/domain/address.ts';
import type { Fields } from '../../src/domain/fields.ts';
import { isMinor, isOrderId, parseAskedLines } from '../../src/domain/order.ts';
import type { Caller } from './auth.ts';
import { HttpError, parseBody } from './http.ts';
import type { RequestedOrder } from './payments.ts';

/** The fields that both payment methods send; `shippingAddress` has rules of its own. */
const REQUEST = v.object({
  userId: v.string('The request must say whose order it is.'),
  orderId: v.nullish(v.custom<string>(isOrderId, 'The order id must be a lower-case UUID.'), null),
  shownTotal: v.nullish(
    v.custom<number>(isMinor, 'The shown total must be a whole number of cents.'),
    null,
  ),
  again: v.optional(v.boolean('Whether to pay again is either true or false.'), false),
});

/** The codes of the answers, by the field that is wrong. */
const CODES = { userId: 'user', orderId: 'order-id', shownTotal: 'shown-total', again: 'again' };

/**
 * @param items the cart's lines; the requests of the two payment methods name that field differently
 * @throws HttpError 400, or 403 when the request names another user
 */
export function readOrderRequest(fields: Fields, items: unknown, caller: Caller): RequestedOrder {
  const { userId, ...request } = parseBody(REQUEST, fields, CODES);
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
  const address = parseAddress(fields['shippingAddress']);
  if (!address.ok) {
    throw new HttpError(400, 'Please check the shipping address.', {
      code: 'address',
      fields: address.problems,
    });
  }
  return { ...request, userId, email: caller.email, lines, address: address.address };
}
