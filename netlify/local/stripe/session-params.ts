/**
 * What `POST /v1/checkout/sessions` takes: of the parameters of API version 2026-10-28 those that
 * the shop sends. The emulator rejects all others, as Stripe rejects what it does not know.
 *
 * Source: docs.stripe.com/api/checkout/sessions/create.
 */
import { choice, parserOf, record, text } from '../provider/schema.ts';
import { invalid } from './failure.ts';
import { readForm } from './form.ts';

export interface SessionParams {
  readonly mode: 'payment';
  readonly line_items: readonly LineParams[];
  readonly success_url: string;
  readonly cancel_url?: string;
  readonly client_reference_id?: string;
  readonly customer_email?: string;
  readonly expires_at?: number;
  readonly metadata?: Metadata;
  readonly adaptive_pricing?: { readonly enabled?: boolean };
  readonly payment_intent_data?: {
    readonly metadata?: Metadata;
    readonly shipping?: {
      readonly name: string;
      readonly address: Readonly<Record<string, string>>;
    };
  };
}

export interface LineParams {
  readonly quantity: number;
  readonly price_data: {
    readonly currency: 'usd';
    readonly unit_amount: number;
    readonly product_data: { readonly name: string; readonly description?: string };
  };
}

type Metadata = Readonly<Record<string, string>>;

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const SMALLEST_CHARGE_CENTS = 50;
const LARGEST_CHARGE_CENTS = 99_999_999;

const TEXT = text(5000);
const URL_TEXT = text(5000, { format: 'url' });
const METADATA = {
  type: 'object',
  maxProperties: 50,
  propertyNames: { maxLength: 40 },
  additionalProperties: { type: 'string', maxLength: 500 },
};
const ADDRESS = record(
  { line1: TEXT, city: TEXT, state: TEXT, postal_code: TEXT, country: text(2) },
  'line1',
);
const PRODUCT = record({ name: TEXT, description: text(40_000) }, 'name');
const PRICE = record(
  {
    currency: choice('usd'),
    unit_amount: { type: 'integer', minimum: 0, maximum: LARGEST_CHARGE_CENTS },
    product_data: PRODUCT,
  },
  'currency',
  'unit_amount',
  'product_data',
);
const LINE = record(
  { quantity: { type: 'integer', minimum: 1, maximum: 999_999 }, price_data: PRICE },
  'quantity',
  'price_data',
);
const SESSION = record(
  {
    mode: choice('payment'),
    line_items: { type: 'array', items: LINE, minItems: 1, maxItems: 100 },
    success_url: URL_TEXT,
    cancel_url: URL_TEXT,
    client_reference_id: text(200),
    customer_email: text(800, { format: 'email' }),
    expires_at: { type: 'integer' },
    metadata: METADATA,
    adaptive_pricing: record({ enabled: { type: 'boolean' } }),
    payment_intent_data: record({
      metadata: METADATA,
      shipping: record({ name: TEXT, address: ADDRESS }, 'name', 'address'),
    }),
  },
  'mode',
  'line_items',
  'success_url',
);

const parseSession = parserOf<SessionParams>(SESSION, 'form');

/**
 * Reads the form of a new session.
 *
 * @throws StripeError 400
 */
export function readSessionParams(form: string): SessionParams {
  return readForm(form, parseSession);
}

/**
 * Rules that hold for the request as a whole.
 *
 * @param now in seconds since 1970
 * @throws StripeError 400
 */
export function checkSessionParams(params: SessionParams, now: number): void {
  if (totalOf(params) < SMALLEST_CHARGE_CENTS) {
    throw invalid('The total amount due must be at least $0.50 usd.', 'amount_too_small');
  }
  const { expires_at: expiresAt = now + HOUR_S } = params;
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
