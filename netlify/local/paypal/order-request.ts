/**
 * What `POST /v2/checkout/orders` takes: the fields of the published schema that the shop sends, and no
 * currency but US dollars. PayPal ignores unknown fields. The emulator rejects them, because an unknown field
 * is a misspelled one.
 *
 * Source: npm @paypal/paypal-rest-api-specifications, openapi/checkout_orders_v2.json.
 */
import { type Static, Type } from 'typebox';
import { record, text } from '../provider/schema.ts';
import { bodyParser, unprocessable } from './failure.ts';

/** May be empty, or missing. */
const optionalText = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const URL_TEXT = text(2048, { format: 'url' });

const MONEY = record({
  currency_code: Type.Literal('USD'),
  value: text(32, { pattern: '^([0-9]+|[0-9]*[.][0-9]+)$' }),
});
const AMOUNT = record({ ...MONEY.properties, breakdown: record({ item_total: MONEY }) });
const ITEM = record({
  name: text(127),
  unit_amount: MONEY,
  quantity: text(10, { pattern: '^[1-9][0-9]{0,9}$' }),
  sku: optionalText(127),
  category: Type.Optional(Type.Literal('PHYSICAL_GOODS')),
});
const ADDRESS = record({
  // `C2` is PayPal's own code for China, in payments across borders.
  country_code: text(2, { pattern: '^([A-Z]{2}|C2)$' }),
  address_line_1: optionalText(300),
  admin_area_2: optionalText(120),
  admin_area_1: optionalText(300),
  postal_code: optionalText(60),
});
const SHIPPING = record({
  address: ADDRESS,
  name: Type.Optional(record({ full_name: optionalText(300) })),
  type: Type.Optional(Type.Literal('SHIPPING')),
});
const UNIT = record({
  custom_id: text(127),
  invoice_id: text(127),
  amount: AMOUNT,
  items: Type.Array(ITEM, { maxItems: 1000 }),
  shipping: SHIPPING,
});
const EXPERIENCE = record({
  return_url: URL_TEXT,
  cancel_url: URL_TEXT,
  shipping_preference: Type.Optional(Type.Literal('SET_PROVIDED_ADDRESS')),
  user_action: Type.Optional(Type.Literal('PAY_NOW')),
});
const ORDER = record({
  intent: Type.Literal('CAPTURE'),
  purchase_units: Type.Tuple([UNIT]),
  payment_source: record({ paypal: record({ experience_context: EXPERIENCE }) }),
});

export type PayPalOrderRequest = Static<typeof ORDER>;

export const parsePayPalOrder = bodyParser(ORDER);

/**
 * Whether the sums of an order agree, and its address suffices. Source: issues of the schema, 422.
 *
 * @throws PayPalError 422
 */
export function checkOrder({ purchase_units: [unit] }: PayPalOrderRequest): void {
  const { amount, items, shipping } = unit;
  const total = centsOf(amount);
  const stated = centsOf(amount.breakdown.item_total);
  if (total === 0) throw unprocessable('CANNOT_BE_ZERO_OR_NEGATIVE', 'The amount is zero.');
  const sum = items.reduce((cents, item) => {
    return cents + centsOf(item.unit_amount) * Number(item.quantity);
  }, 0);
  if (stated !== sum) {
    throw unprocessable('ITEM_TOTAL_MISMATCH', 'Should equal the sum over all items.');
  }
  if (stated !== total) {
    throw unprocessable('AMOUNT_MISMATCH', 'Should equal the breakdown, added up.');
  }
  if (!shipping.address.postal_code) {
    throw unprocessable('POSTAL_CODE_REQUIRED', 'The specified country requires it.');
  }
}

/** In cents. @throws PayPalError 422 for fractions of a cent */
export function centsOf({ value }: Static<typeof MONEY>): number {
  const [units = '', decimals = ''] = value.split('.');
  if (decimals.length > 2) throw unprocessable('DECIMAL_PRECISION', 'Two decimal places at most.');
  return Number(units) * 100 + Number(decimals.padEnd(2, '0'));
}
