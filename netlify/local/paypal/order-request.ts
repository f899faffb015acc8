/**
 * What `POST /v2/checkout/orders` takes, of the published schema those fields that a shop with one
 * parcel and one buyer has a use for. PayPal ignores fields that it does not know; the emulator
 * refuses them, because they are misspelled.
 *
 * Source: npm @paypal/paypal-rest-api-specifications, openapi/checkout_orders_v2.json.
 */
import type { Format, RecordShape, Shape } from '../provider/shape.ts';
import { read } from '../provider/shape.ts';
import { malformed } from './failure.ts';

export interface Money {
  readonly currency_code: string;
  readonly value: string;
}

export interface Item {
  readonly name: string;
  readonly quantity: string;
  readonly unit_amount: Money;
  readonly tax?: Money;
}

export type Breakdown = Partial<
  Record<
    | 'item_total'
    | 'shipping'
    | 'handling'
    | 'tax_total'
    | 'insurance'
    | 'shipping_discount'
    | 'discount',
    Money
  >
>;

export interface PurchaseUnit {
  readonly reference_id?: string;
  readonly custom_id?: string;
  readonly invoice_id?: string;
  readonly amount: Money & { readonly breakdown?: Breakdown };
  readonly items?: readonly Item[];
  readonly shipping?: {
    readonly name?: { readonly full_name?: string };
    readonly address?: Readonly<Record<string, string>>;
  };
}

export interface OrderRequest {
  readonly intent: 'CAPTURE';
  readonly purchase_units: readonly [PurchaseUnit];
  readonly payment_source?: { readonly paypal?: { readonly experience_context?: Experience } };
}

interface Experience {
  readonly return_url?: string;
  readonly cancel_url?: string;
}

const COUNTRY: Format = { name: 'country', test: (text) => /^([A-Z]{2}|C2)$/.test(text) };
const CURRENCY: Format = { name: 'currency', test: (text) => /^[A-Z]{3}$/.test(text) };
const DECIMAL: Format = {
  name: 'amount',
  test: (text) => /^((-?[0-9]+)|(-?([0-9]+)?[.][0-9]+))$/.test(text),
};
const COUNT: Format = { name: 'quantity', test: (text) => /^[1-9][0-9]{0,9}$/.test(text) };
const URL_FORMAT: Format = { name: 'url', test: (text) => URL.canParse(text) };
const LOCALE: Format = {
  name: 'locale',
  test: (text) => /^[a-z]{2}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?$/.test(text),
};

const text = (max: number, like?: Format): Shape =>
  like === undefined ? { kind: 'text', max } : { kind: 'text', max, like };
/** May be empty. */
const note = (max: number): Shape => ({ kind: 'text', min: 0, max });
const choice = (...of: string[]): Shape => ({ kind: 'choice', of });
const record = (fields: RecordShape['fields'], ...required: string[]): RecordShape => ({
  kind: 'record',
  fields,
  required,
});

const MONEY_FIELDS = { currency_code: text(3, CURRENCY), value: text(32, DECIMAL) };
const MONEY = record(MONEY_FIELDS, 'currency_code', 'value');

const BREAKDOWN = record({
  item_total: MONEY,
  shipping: MONEY,
  handling: MONEY,
  tax_total: MONEY,
  insurance: MONEY,
  shipping_discount: MONEY,
  discount: MONEY,
});

const ITEM = record(
  {
    name: text(127),
    unit_amount: MONEY,
    tax: MONEY,
    quantity: text(10, COUNT),
    description: note(2048),
    sku: note(127),
    url: text(2048, URL_FORMAT),
    image_url: text(2048, URL_FORMAT),
    category: choice('PHYSICAL_GOODS', 'DIGITAL_GOODS'),
  },
  'name',
  'unit_amount',
  'quantity',
);

const ADDRESS = record(
  {
    address_line_1: note(300),
    address_line_2: note(300),
    admin_area_2: note(120),
    admin_area_1: note(300),
    postal_code: note(60),
    country_code: text(2, COUNTRY),
  },
  'country_code',
);

const UNIT = record(
  {
    reference_id: text(256),
    description: text(127),
    custom_id: text(127),
    invoice_id: text(127),
    soft_descriptor: text(22),
    amount: record({ ...MONEY_FIELDS, breakdown: BREAKDOWN }, 'currency_code', 'value'),
    items: { kind: 'list', of: ITEM, min: 0 },
    shipping: record({
      name: record({ full_name: note(300) }),
      type: choice('SHIPPING', 'PICKUP_IN_PERSON'),
      address: ADDRESS,
    }),
  },
  'amount',
);

const ORDER = record(
  {
    intent: choice('CAPTURE'),
    purchase_units: { kind: 'list', of: UNIT, max: 1 },
    payment_source: record({
      paypal: record({
        email_address: text(254),
        experience_context: record({
          brand_name: text(127),
          locale: text(10, LOCALE),
          shipping_preference: choice('GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS'),
          return_url: text(2048, URL_FORMAT),
          cancel_url: text(2048, URL_FORMAT),
          landing_page: choice('LOGIN', 'GUEST_CHECKOUT', 'NO_PREFERENCE'),
          user_action: choice('CONTINUE', 'PAY_NOW'),
          payment_method_preference: choice('UNRESTRICTED', 'IMMEDIATE_PAYMENT_REQUIRED'),
        }),
      }),
    }),
  },
  'intent',
  'purchase_units',
);

/**
 * Reads the body of a new order; its sums are not looked at here.
 *
 * @throws PayPalError 400
 */
export function readOrderRequest(body: unknown): OrderRequest {
  const { value, flaws } = read(body, ORDER, 'json');
  if (flaws.length > 0) throw malformed(flaws);
  return value as OrderRequest; // it has the shape above
}
