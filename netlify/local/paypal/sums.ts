/** Whether the sums of an order agree, and its address suffices. Source: issues of the schema, 422. */
import { unprocessable } from './failure.ts';
import type { Breakdown, Money, OrderRequest, PurchaseUnit } from './order-request.ts';

const UNIT_FIELD = '/purchase_units/0';
const AMOUNT_FIELD = `${UNIT_FIELD}/amount`;

/** @throws PayPalError 422 */
export function checkOrder({ purchase_units: [unit] }: OrderRequest): void {
  checkMoney(unit);
  checkItems(unit);
  checkBreakdown(unit);
  checkAddress(unit);
}

/** In cents. @throws PayPalError 422 for fractions of a cent */
export function centsOf({ value }: Money, field = AMOUNT_FIELD): number {
  const [, sign, units, decimals = ''] = /^(-?)(\d*)(?:\.(\d+))?$/.exec(value) ?? [];
  if (decimals.length > 2) {
    throw unprocessable('DECIMAL_PRECISION', 'Two decimal places at most.', `${field}/value`);
  }
  const cents = Number(units) * 100 + Number(decimals.padEnd(2, '0'));
  return sign === '-' ? -cents : cents;
}

export function moneyOf(cents: number, currency: string): Money {
  const text = String(cents).padStart(3, '0');
  return { currency_code: currency, value: `${text.slice(0, -2)}.${text.slice(-2)}` };
}

function checkMoney({ amount, items = [] }: PurchaseUnit): void {
  if (amount.currency_code !== 'USD') {
    const description = 'The emulator knows US dollars only.';
    throw unprocessable('INVALID_CURRENCY_CODE', description, `${AMOUNT_FIELD}/currency_code`);
  }
  if (centsOf(amount) <= 0) {
    const description = 'Must be greater than zero.';
    throw unprocessable('CANNOT_BE_ZERO_OR_NEGATIVE', description, `${AMOUNT_FIELD}/value`);
  }
  const others = [
    ...Object.values(amount.breakdown ?? {}),
    ...items.flatMap(({ unit_amount: unit, tax }) => (tax === undefined ? [unit] : [unit, tax])),
  ];
  for (const money of others) {
    if (money.currency_code !== amount.currency_code) {
      const description = 'An order has one currency.';
      throw unprocessable('MULTI_CURRENCY_ORDER', description, AMOUNT_FIELD);
    }
    if (centsOf(money) < 0) {
      throw unprocessable('CANNOT_BE_NEGATIVE', 'Must be greater than or equal to 0.', UNIT_FIELD);
    }
  }
}

function checkItems({ amount, items = [] }: PurchaseUnit): void {
  if (items.length === 0) return;
  const total = items.reduce((sum, i) => sum + centsOf(i.unit_amount) * Number(i.quantity), 0);
  const tax = items.reduce((sum, i) => sum + (i.tax ? centsOf(i.tax) * Number(i.quantity) : 0), 0);
  checkSum(amount.breakdown, 'item_total', total, 'ITEM_TOTAL');
  if (tax > 0) checkSum(amount.breakdown, 'tax_total', tax, 'TAX_TOTAL');
}

function checkSum(
  breakdown: Breakdown | undefined,
  field: 'item_total' | 'tax_total',
  sum: number,
  issue: string,
): void {
  const stated = breakdown?.[field];
  const where = `${AMOUNT_FIELD}/breakdown/${field}`;
  if (stated === undefined) {
    throw unprocessable(`${issue}_REQUIRED`, 'Items need their sum in the breakdown.', where);
  }
  if (centsOf(stated) !== sum) {
    throw unprocessable(`${issue}_MISMATCH`, 'Should equal the sum over all items.', where);
  }
}

function checkBreakdown({ amount }: PurchaseUnit): void {
  const { breakdown } = amount;
  if (breakdown === undefined) return;
  const part = (name: keyof Breakdown) => {
    const money = breakdown[name];
    return money === undefined ? 0 : centsOf(money);
  };
  const sum =
    part('item_total') +
    part('tax_total') +
    part('shipping') +
    part('handling') +
    part('insurance') -
    part('shipping_discount') -
    part('discount');
  if (sum !== centsOf(amount)) {
    const description = 'Should equal the breakdown, added up.';
    throw unprocessable('AMOUNT_MISMATCH', description, `${AMOUNT_FIELD}/value`);
  }
}

/** The countries of this shop all have cities and postal codes. */
function checkAddress({ shipping }: PurchaseUnit): void {
  const address = shipping?.address;
  if (address === undefined) return;
  const field = `${UNIT_FIELD}/shipping/address`;
  if (!address['admin_area_2']) {
    const description = 'The specified country requires a city.';
    throw unprocessable('CITY_REQUIRED', description, `${field}/admin_area_2`);
  }
  if (!address['postal_code']) {
    const description = 'The specified country requires a postal code.';
    throw unprocessable('POSTAL_CODE_REQUIRED', description, `${field}/postal_code`);
  }
}
