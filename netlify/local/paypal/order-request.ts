/**
 * What `POST /v2/checkout/orders` takes: of the published schema those fields that the shop sends, in
 * US dollars. PayPal ignores fields that it does not know; the emulator rejects them, because they
 * are misspelled.
 *
 * Source: npm @paypal/paypal-rest-api-specifications, openapi/checkout_orders_v2.json.
 */
import type { Schema } from '../provider/schema.ts';
import { choice, parserOf, record, text } from '../provider/schema.ts';

export interface Money {
  readonly currency_code: string;
  readonly value: string;
}

/** The fields that the emulator reads. */
export interface PurchaseUnit {
  readonly custom_id?: string;
  readonly invoice_id?: string;
  readonly amount: Money & { readonly breakdown?: { readonly item_total?: Money } };
  readonly items?: readonly {
    readonly quantity: string;
    readonly unit_amount: Money;
  }[];
  readonly shipping?: { readonly address?: Readonly<Record<string, string>> };
}

export interface OrderRequest {
  readonly intent: 'CAPTURE';
  readonly purchase_units: readonly [PurchaseUnit];
  readonly payment_source: {
    readonly paypal: {
      readonly experience_context?: { readonly return_url?: string; readonly cancel_url?: string };
    };
  };
}

/** May be empty. */
const note = (maxLength: number): Schema => ({ type: 'string', maxLength });
const listOf = (items: Schema, maxItems?: number): Schema => ({
  type: 'array',
  items,
  ...(maxItems === undefined ? {} : { minItems: 1, maxItems }),
});
const URL_TEXT = text(2048, { format: 'url' });

const MONEY_FIELDS = {
  currency_code: choice('USD'),
  value: text(32, { pattern: '^([0-9]+|[0-9]*[.][0-9]+)$' }),
};
const MONEY = record(MONEY_FIELDS, 'currency_code', 'value');

const ITEM = record(
  {
    name: text(127),
    unit_amount: MONEY,
    quantity: text(10, { pattern: '^[1-9][0-9]{0,9}$' }),
    sku: note(127),
    category: choice('PHYSICAL_GOODS', 'DIGITAL_GOODS'),
  },
  'name',
  'unit_amount',
  'quantity',
);

const ADDRESS = record(
  {
    address_line_1: note(300),
    admin_area_2: note(120),
    admin_area_1: note(300),
    postal_code: note(60),
    country_code: text(2, { pattern: '^([A-Z]{2}|C2)$' }),
  },
  'country_code',
);

const UNIT = record(
  {
    reference_id: text(256),
    custom_id: text(127),
    invoice_id: text(127),
    amount: record(
      { ...MONEY_FIELDS, breakdown: record({ item_total: MONEY }) },
      'currency_code',
      'value',
    ),
    items: listOf(ITEM),
    shipping: record({
      name: record({ full_name: note(300) }),
      type: choice('SHIPPING', 'PICKUP_IN_PERSON'),
      address: ADDRESS,
    }),
  },
  'amount',
);

const EXPERIENCE = record({
  brand_name: text(127),
  shipping_preference: choice('GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS'),
  return_url: URL_TEXT,
  cancel_url: URL_TEXT,
  user_action: choice('CONTINUE', 'PAY_NOW'),
});

const ORDER = record(
  {
    intent: choice('CAPTURE'),
    purchase_units: listOf(UNIT, 1),
    payment_source: record({ paypal: record({ experience_context: EXPERIENCE }) }, 'paypal'),
  },
  'intent',
  'purchase_units',
  'payment_source',
);

/** Reads the body of a new order; `checkOrder` looks at its sums. */
export const parseOrderRequest = parserOf<OrderRequest>(ORDER, 'json');
