/**
 * What `POST /v1/checkout/sessions` takes, of the parameters of API version 2026-10-28 those that a
 * shop with one-time payments and prices of its own has a use for. Everything else is refused, as
 * Stripe refuses what it does not know.
 *
 * Source: docs.stripe.com/api/checkout/sessions/create.
 */
import type { Format, RecordShape, Shape } from '../provider/shape.ts';
import { invalid } from './failure.ts';
import { readForm } from './form.ts';

export interface SessionParams {
  readonly mode: 'payment';
  readonly line_items: readonly LineParams[];
  readonly success_url: string;
  readonly cancel_url?: string;
  readonly client_reference_id?: string;
  readonly customer_email?: string;
  readonly customer_creation?: 'always' | 'if_required';
  readonly expires_at?: number;
  readonly locale?: string;
  readonly metadata?: Metadata;
  readonly submit_type?: string;
  readonly billing_address_collection?: 'auto' | 'required';
  readonly allowed_payment_method_types?: readonly string[];
  readonly excluded_payment_method_types?: readonly string[];
  readonly adaptive_pricing?: { readonly enabled?: boolean };
  readonly payment_intent_data?: IntentParams;
  readonly expand?: readonly string[];
}

export interface LineParams {
  readonly quantity: number;
  readonly metadata?: Metadata;
  readonly price_data: {
    readonly currency: string;
    readonly unit_amount: number;
    readonly tax_behavior?: string;
    readonly product_data: {
      readonly name: string;
      readonly description?: string;
      readonly images?: readonly string[];
      readonly metadata?: Metadata;
    };
  };
}

export interface IntentParams {
  readonly description?: string;
  readonly metadata?: Metadata;
  readonly receipt_email?: string;
  readonly statement_descriptor_suffix?: string;
  readonly shipping?: Shipping;
}

export interface Shipping {
  readonly name: string;
  readonly phone?: string;
  readonly address: Readonly<Record<string, string>>;
}

export type Metadata = Readonly<Record<string, string>>;

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
/** In cents. */
const SMALLEST_CHARGE = 50;
const LARGEST_CHARGE = 99_999_999;

const URL_FORMAT: Format = {
  name: 'url',
  test: (text) => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? ''),
};
const EMAIL: Format = { name: 'email', test: (text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) };
const CURRENCY: Format = { name: 'currency', test: (text) => text.toLowerCase() === 'usd' };
const COUNTRY: Format = { name: 'country', test: (text) => /^[A-Z]{2}$/.test(text) };

const text = (max = 5000, like?: Format): Shape =>
  like === undefined ? { kind: 'text', max } : { kind: 'text', max, like };
const choice = (...of: string[]): Shape => ({ kind: 'choice', of });
const record = (fields: RecordShape['fields'], ...required: string[]): RecordShape => ({
  kind: 'record',
  fields,
  required,
});
const metadata: Shape = { kind: 'map', most: 50, maxName: 40, maxValue: 500 };
const texts = (max: number): Shape => ({ kind: 'list', of: text(), max });

const ADDRESS = record(
  {
    line1: text(),
    line2: { kind: 'text', min: 0 },
    city: text(),
    state: text(),
    postal_code: text(),
    country: text(2, COUNTRY),
  },
  'line1',
);

const LINE = record(
  {
    quantity: { kind: 'whole', min: 1, max: 999_999 },
    metadata,
    price_data: record(
      {
        currency: text(3, CURRENCY),
        unit_amount: { kind: 'whole', min: 0, max: LARGEST_CHARGE },
        tax_behavior: choice('exclusive', 'inclusive', 'unspecified'),
        product_data: record(
          {
            name: text(),
            description: text(40_000),
            images: { kind: 'list', of: text(2048, URL_FORMAT), max: 8 },
            metadata,
          },
          'name',
        ),
      },
      'currency',
      'unit_amount',
      'product_data',
    ),
  },
  'quantity',
  'price_data',
);

const SESSION = record(
  {
    mode: choice('payment'),
    ui_mode: choice('hosted_page'),
    line_items: { kind: 'list', of: LINE, max: 100 },
    success_url: text(5000, URL_FORMAT),
    cancel_url: text(5000, URL_FORMAT),
    client_reference_id: text(200),
    currency: text(3, CURRENCY),
    customer_email: text(800, EMAIL),
    customer_creation: choice('always', 'if_required'),
    expires_at: { kind: 'whole', min: 0 },
    expand: texts(20),
    locale: text(10),
    metadata,
    submit_type: choice('auto', 'book', 'donate', 'pay'),
    billing_address_collection: choice('auto', 'required'),
    allowed_payment_method_types: texts(50),
    excluded_payment_method_types: texts(50),
    adaptive_pricing: record({ enabled: { kind: 'flag' } }),
    payment_intent_data: record({
      description: text(1000),
      metadata,
      receipt_email: text(800, EMAIL),
      statement_descriptor_suffix: text(22),
      shipping: record({ name: text(), phone: text(), address: ADDRESS }, 'name', 'address'),
    }),
  },
  'mode',
  'line_items',
  'success_url',
);

/**
 * Reads the form of a new session.
 *
 * @throws StripeRefusal 400
 */
export function readSessionParams(form: string): SessionParams {
  return readForm(form, SESSION) as SessionParams; // it has the shape above
}

/**
 * Rules that hold for the request as a whole.
 *
 * @param now in seconds since 1970
 * @throws StripeRefusal 400
 */
export function checkSessionParams(params: SessionParams, now: number): void {
  const total = totalOf(params);
  if (total < SMALLEST_CHARGE) {
    const message = 'The total amount due must be at least $0.50 usd.';
    throw invalid(message, 'amount_too_small');
  }
  if (total > LARGEST_CHARGE) {
    throw invalid('The total amount due must be no more than $999,999.99.', 'amount_too_large');
  }
  const { expires_at: expiresAt } = params;
  if (expiresAt === undefined) return;
  if (expiresAt < now + 30 * MINUTE_S || expiresAt > now + 24 * HOUR_S) {
    const message = 'expires_at must lie from 30 minutes to 24 hours after the session is created.';
    throw invalid(message, undefined, 'expires_at');
  }
}

/** In cents. */
export function totalOf({ line_items: lines }: Pick<SessionParams, 'line_items'>): number {
  return lines.reduce((sum, line) => sum + lineTotalOf(line), 0);
}

export function lineTotalOf(line: LineParams): number {
  return line.price_data.unit_amount * line.quantity;
}
