/**
 * The parameters of `POST /v1/checkout/sessions` that the shop sends (API version 2026-10-28). The emulator
 * rejects all others, as Stripe rejects parameters that it does not know.
 *
 * Source: docs.stripe.com/api/checkout/sessions/create.
 */
import { type Static, Type } from 'typebox';
import { record, text } from '../provider/schema.ts';
import { StripeError } from './failure.ts';
import { formParser } from './form.ts';

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const SMALLEST_CHARGE_CENTS = 50;
const LARGEST_CHARGE_CENTS = 99_999_999;

const TEXT = text(5000);
const URL_TEXT = text(5000, { format: 'url' });
const METADATA = Type.Record(Type.String(), Type.String({ maxLength: 500 }), {
  maxProperties: 50,
  propertyNames: { maxLength: 40 },
});
const ADDRESS = record({
  line1: TEXT,
  city: TEXT,
  state: TEXT,
  postal_code: TEXT,
  country: text(2),
});
const PRICE = record({
  currency: Type.Literal('usd'),
  unit_amount: Type.Integer({ minimum: 0, maximum: LARGEST_CHARGE_CENTS }),
  product_data: record({ name: TEXT, description: Type.Optional(text(40_000)) }),
});
const LINE = record({
  quantity: Type.Integer({ minimum: 1, maximum: 999_999 }),
  price_data: PRICE,
});
const INTENT = Type.Partial(
  record({ metadata: METADATA, shipping: record({ name: TEXT, address: ADDRESS }) }),
);
const SESSION = record({
  mode: Type.Literal('payment'),
  line_items: Type.Array(LINE, { minItems: 1, maxItems: 100 }),
  success_url: URL_TEXT,
  cancel_url: URL_TEXT,
  client_reference_id: Type.Optional(text(200)),
  customer_email: Type.Optional(text(800, { format: 'email' })),
  expires_at: Type.Optional(Type.Integer({ minimum: 0 })),
  metadata: Type.Optional(METADATA),
  adaptive_pricing: Type.Optional(record({ enabled: Type.Boolean() })),
  payment_intent_data: Type.Optional(INTENT),
});

export type SessionParams = Static<typeof SESSION>;

export const readSessionParams = formParser(SESSION);

/**
 * Rules that hold for the request as a whole.
 *
 * @param now in seconds since 1970
 * @throws StripeError 400
 */
export function checkSessionParams(params: SessionParams, now: number): void {
  if (totalOf(params) < SMALLEST_CHARGE_CENTS) {
    const message = 'The total amount due must be at least $0.50 usd.';
    throw new StripeError(400, { message, code: 'amount_too_small' });
  }
  const { expires_at: expiresAt = now + 24 * HOUR_S } = params;
  if (expiresAt < now + 30 * MINUTE_S || expiresAt > now + 24 * HOUR_S) {
    const message = 'expires_at must lie from 30 minutes to 24 hours after the session is created.';
    throw new StripeError(400, { message, param: 'expires_at' });
  }
}

/** In cents. */
export function totalOf({ line_items: lines }: Pick<SessionParams, 'line_items'>): number {
  return lines.reduce((sum, line) => sum + lineAmount(line), 0);
}

export function lineAmount({ quantity, price_data: price }: Static<typeof LINE>): number {
  return price.unit_amount * quantity;
}
