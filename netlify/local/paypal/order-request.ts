/**
 * What `POST /v2/checkout/orders` takes: of the published schema those fields that the shop sends, in
 * US dollars. PayPal ignores fields that it does not know; the emulator rejects them, because they
 * are misspelled.
 *
 * Source: npm @paypal/paypal-rest-api-specifications, openapi/checkout_orders_v2.json.
 */
import type { Schema, ValueOf } from '../provider/schema.ts';
import { choice, listOf, record, text } from '../provider/schema.ts';
import { bodyOf, unprocessable } from './failure.ts';

/** May be empty. */
const note = (maxLength: number): Schema<string> => ({ type: 'string', maxLength });
const URL_TEXT = text(2048, { format: 'url' });

const MONEY_FIELDS = {
  currency_code: choice('USD'),
  value: text(32, { pattern: '^([0-9]+|[0-9]*[.][0-9]+)$' }),
};
const MONEY = record(MONEY_FIELDS);

const ITEM = record(
  {
    name: text(127),
    unit_amount: MONEY,
    quantity: text(10, { pattern: '^[1-9][0-9]{0,9}$' }),
  },
  { sku: note(127), category: choice('PHYSICAL_GOODS') },
);

const ADDRESS = record(
  { country_code: text(2, { pattern: '^([A-Z]{2}|C2)$' }) },
  {
    address_line_1: note(300),
    admin_area_2: note(120),
    admin_area_1: note(300),
    postal_code: note(60),
  },
);
const SHIPPING = record(
  { address: ADDRESS },
  { name: record({ full_name: note(300) }), type: choice('SHIPPING') },
);

const UNIT = record(
  {
    custom_id: text(127),
    invoice_id: text(127),
    amount: record(MONEY_FIELDS, { breakdown: record({ item_total: MONEY }) }),
    items: listOf(ITEM, 0, 1000),
    shipping: SHIPPING,
  },
  { reference_id: text(256) },
);
const UNITS = listOf(UNIT, 1, 1) as Schema<readonly [ValueOf<typeof UNIT>]>;

const EXPERIENCE = record(
  { return_url: URL_TEXT, cancel_url: URL_TEXT },
  {
    brand_name: text(127),
    shipping_preference: choice('SET_PROVIDED_ADDRESS'),
    user_action: choice('PAY_NOW'),
  },
);
const WALLET = record({ experience_context: EXPERIENCE });

const ORDER = record({
  intent: choice('CAPTURE'),
  purchase_units: UNITS,
  payment_source: record({ paypal: WALLET }),
});

export type OrderRequest = ValueOf<typeof ORDER>;

export const readOrderRequest = bodyOf(ORDER);

/**
 * Whether the sums of an order agree, and its address suffices. Source: issues of the schema, 422.
 *
 * @throws PayPalError 422
 */
export function checkOrder({ purchase_units: [unit] }: OrderRequest): void {
  const { amount, items, shipping } = unit;
  const total = centsOf(amount);
  const stated = amount.breakdown?.item_total;
  if (total === 0) throw unprocessable('CANNOT_BE_ZERO_OR_NEGATIVE', 'The amount is zero.');
  if (stated === undefined && items.length > 0) {
    throw unprocessable('ITEM_TOTAL_REQUIRED', 'Items need their sum in the breakdown.');
  }
  const sum = items.reduce((cents, item) => {
    return cents + centsOf(item.unit_amount) * Number(item.quantity);
  }, 0);
  if (stated && items.length > 0 && centsOf(stated) !== sum) {
    throw unprocessable('ITEM_TOTAL_MISMATCH', 'Should equal the sum over all items.');
  }
  if (stated && centsOf(stated) !== total) {
    throw unprocessable('AMOUNT_MISMATCH', 'Should equal the breakdown, added up.');
  }
  if (!shipping.address.postal_code) {
    throw unprocessable('POSTAL_CODE_REQUIRED', 'The specified country requires it.');
  }
}

/** In cents. @throws PayPalError 422 for fractions of a cent */
export function centsOf({ value }: ValueOf<typeof MONEY>): number {
  const [units = '', decimals = ''] = value.split('.');
  if (decimals.length > 2) throw unprocessable('DECIMAL_PRECISION', 'Two decimal places at most.');
  return Number(units) * 100 + Number(decimals.padEnd(2, '0'));
}
