/** Whether the sums of an order agree, and its address suffices. Source: issues of the schema, 422. */
import { unprocessable } from './failure.ts';
import type { Money, OrderRequest, PurchaseUnit } from './order-request.ts';
import type { Paid, StoredOrder } from './state.ts';

const UNIT_FIELD = '/purchase_units/0';
const AMOUNT_FIELD = `${UNIT_FIELD}/amount`;

/** @throws PayPalError 422 */
export function checkOrder({ purchase_units: [unit] }: OrderRequest): void {
  if (centsOf(unit.amount) === 0) {
    const description = 'Must be greater than zero.';
    throw unprocessable('CANNOT_BE_ZERO_OR_NEGATIVE', description, `${AMOUNT_FIELD}/value`);
  }
  checkItems(unit);
  checkAddress(unit);
}

/** In cents. @throws PayPalError 422 for fractions of a cent */
export function centsOf({ value }: Money): number {
  const [units = '', decimals = ''] = value.split('.');
  if (decimals.length > 2) {
    throw unprocessable('DECIMAL_PRECISION', 'Two decimal places at most.', AMOUNT_FIELD);
  }
  return Number(units) * 100 + Number(decimals.padEnd(2, '0'));
}

/** The sum of the items is stated in the breakdown, and is the amount. */
function checkItems({ amount, items = [] }: PurchaseUnit): void {
  const stated = amount.breakdown?.item_total;
  const field = `${AMOUNT_FIELD}/breakdown/item_total`;
  if (stated === undefined) {
    if (items.length === 0) return;
    const description = 'Items need their sum in the breakdown.';
    throw unprocessable('ITEM_TOTAL_REQUIRED', description, field);
  }
  const sum = items.reduce((total, { unit_amount: unit, quantity }) => {
    return total + centsOf(unit) * Number(quantity);
  }, 0);
  if (items.length > 0 && centsOf(stated) !== sum) {
    const description = 'Should equal the sum over all items.';
    throw unprocessable('ITEM_TOTAL_MISMATCH', description, field);
  }
  if (centsOf(stated) !== centsOf(amount)) {
    const description = 'Should equal the breakdown, added up.';
    throw unprocessable('AMOUNT_MISMATCH', description, `${AMOUNT_FIELD}/value`);
  }
}

/** The countries of this shop all have cities and postal codes. */
function checkAddress({ shipping }: PurchaseUnit): void {
  for (const [name, issue] of [
    ['admin_area_2', 'CITY_REQUIRED'],
    ['postal_code', 'POSTAL_CODE_REQUIRED'],
  ] as const) {
    if (shipping?.address === undefined || shipping.address[name]) continue;
    const field = `${UNIT_FIELD}/shipping/address/${name}`;
    throw unprocessable(issue, 'The specified country requires it.', field);
  }
}

/** In cents. */
export function totalOf({ request }: StoredOrder): number {
  return centsOf(request.purchase_units[0].amount);
}

/** What is left of a payment after its refunds, in cents. */
export function refundable({ order, capture }: Paid): number {
  return totalOf(order) - (capture.refunds ?? []).reduce((sum, { cents }) => sum + cents, 0);
}
