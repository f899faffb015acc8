/** Sessions, payments and line items as Stripe's API shows them (version 2026-10-28). */
import type Stripe from 'stripe';
import type { LineParams } from './session-params.ts';
import { lineTotalOf, totalOf } from './session-params.ts';
import type { StoredIntent, StoredSession } from './state.ts';
import { isPaid } from './state.ts';

export const API_VERSION = '2026-10-28.endive';

const CARD_TYPES = ['card'];

/** @param baseUrl of the emulator's hosted pages */
export function sessionObject(session: StoredSession, baseUrl: string) {
  const { params } = session;
  const total = totalOf(params);
  return {
    id: session.id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: params.adaptive_pricing?.enabled ?? false },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: list(params.allowed_payment_method_types),
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: params.billing_address_collection ?? null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: session.createdAt,
    currency: 'usd',
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: null,
    customer_account: null,
    customer_creation: params.customer_creation ?? 'if_required',
    customer_details: customerDetails(session),
    customer_email: params.customer_email ?? null,
    discounts: [],
    expires_at: session.expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: params.locale ?? null,
    managed_payments: { enabled: false },
    metadata: params.metadata ?? {},
    mode: 'payment',
    origin_context: null,
    payment_intent: session.intent?.id ?? null,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: CARD_TYPES,
    payment_status: isPaid(session) ? 'paid' : 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: session.status,
    submit_type: params.submit_type ?? null,
    subscription: null,
    success_url: params.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: session.status === 'open' ? payUrl(session, baseUrl) : null,
    wallet_options: null,
  } satisfies Stripe.Checkout.Session;
}

export function payUrl(session: StoredSession, baseUrl: string): string {
  return `${baseUrl}/c/pay/${session.id}`;
}

function customerDetails(session: StoredSession): Stripe.Checkout.Session['customer_details'] {
  const email = session.params.customer_email ?? null;
  if (session.intent === null && email === null) return null;
  return {
    address: null,
    business_name: null,
    email: email ?? 'buyer@example.com',
    individual_name: null,
    name: session.intent === null ? null : 'Test Buyer',
    phone: null,
    tax_exempt: 'none',
    tax_ids: session.intent === null ? null : [],
  };
}

export function intentObject(session: StoredSession, intent: StoredIntent) {
  const total = totalOf(session.params);
  const data = session.params.payment_intent_data;
  const isDone = intent.status === 'succeeded';
  return {
    id: intent.id,
    object: 'payment_intent',
    allowed_payment_method_types: list(session.params.allowed_payment_method_types),
    amount: total,
    amount_capturable: 0,
    amount_received: isDone ? total : 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: null,
    confirmation_method: 'automatic',
    created: intent.createdAt,
    currency: 'usd',
    customer: null,
    customer_account: null,
    description: data?.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error:
      intent.status === 'requires_payment_method'
        ? { type: 'card_error', code: 'payment_intent_payment_attempt_failed' }
        : null,
    latest_charge: isDone ? intent.chargeId : null,
    livemode: false,
    managed_payments: null,
    metadata: data?.metadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: intent.status === 'requires_payment_method' ? null : intent.methodId,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: CARD_TYPES,
    payment_record: null,
    processing: null,
    receipt_email: data?.receipt_email ?? null,
    review: null,
    setup_future_usage: null,
    shipping: shippingOf(session),
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: data?.statement_descriptor_suffix ?? null,
    status: intent.status,
    transfer_data: null,
    transfer_group: null,
  } satisfies Stripe.PaymentIntent;
}

function shippingOf(session: StoredSession): Stripe.PaymentIntent['shipping'] {
  const shipping = session.params.payment_intent_data?.shipping;
  if (shipping === undefined) return null;
  const { name, phone = null, address } = shipping;
  const part = (field: string) => address[field] || null;
  return {
    name,
    phone,
    address: {
      city: part('city'),
      country: part('country'),
      line1: part('line1'),
      line2: part('line2'),
      postal_code: part('postal_code'),
      state: part('state'),
    },
  };
}

/** The decimal amount is a text on the wire; the SDK makes a number object of it. */
export function lineItemObject(session: StoredSession, line: LineParams, index: number) {
  const total = lineTotalOf(line);
  const id = session.lineIds[index] ?? '';
  const { currency, unit_amount: amount, product_data: product } = line.price_data;
  return {
    id,
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: total,
    amount_tax: 0,
    amount_total: total,
    currency: currency.toLowerCase(),
    description: product.name,
    metadata: line.metadata ?? {},
    price: {
      id: id.replace('li_', 'price_'),
      object: 'price',
      active: false,
      billing_scheme: 'per_unit',
      created: session.createdAt,
      currency: currency.toLowerCase(),
      custom_unit_amount: null,
      livemode: false,
      lookup_key: null,
      metadata: {},
      nickname: null,
      product: id.replace('li_', 'prod_'),
      recurring: null,
      tax_behavior: line.price_data.tax_behavior ?? 'unspecified',
      tiers_mode: null,
      transform_quantity: null,
      type: 'one_time',
      unit_amount: amount,
      unit_amount_decimal: String(amount),
    },
    quantity: line.quantity,
  };
}

function list(values: readonly string[] | undefined): string[] | null {
  return values === undefined ? null : [...values];
}
