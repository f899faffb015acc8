/** Stripe: the requests that a shop needs, what their failures mean, and what sessions and events say. */
import Stripe from 'stripe';
import { NotConfigured, type StripeSettings } from './env.ts';
import { lineName, type PaymentAttempt, type PlacedOrder } from './orders.ts';
import {
  type PaymentEvent,
  ProviderUnavailable,
  type RequestOptions,
  type Reversal,
  withoutStripeMessage,
} from './provider.ts';

export type CheckoutSession = Stripe.Checkout.Session;

/**
 * The outcome of a request for a session.
 *
 * - `failed` this attempt can never be paid, because Stripe repeats the failure for its idempotency key
 * - `busy`   another request with the same key is under way
 */
export type SessionOutcome =
  | { readonly kind: 'open'; readonly session: CheckoutSession }
  | { readonly kind: 'failed'; readonly error: Error }
  | { readonly kind: 'busy' };

export interface StripeOptions extends RequestOptions {
  /** Replaces the network in tests. */
  readonly fetch?: typeof globalThis.fetch;
}

/** A function has 60 seconds; three tries of this length leave time for the rest. */
const TIMEOUT_MS = 10_000;
/** Older signatures are rejected, because an attacker may replay a message. Source: Stripe, "Webhook signatures". */
const TOLERANCE_S = 300;

export function openStripe(
  { secretKey, apiUrl }: StripeSettings,
  { fetch, timeoutMs = TIMEOUT_MS, retries = 2 }: StripeOptions = {},
): Stripe {
  return new Stripe(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: retries,
    telemetry: false,
    ...(apiUrl && { protocol: 'http', host: apiUrl.hostname, port: apiUrl.port }),
    ...(fetch && { httpClient: Stripe.createFetchHttpClient(fetch) }),
  });
}

/**
 * Asks Stripe for the session of an attempt. The same attempt gives the same session, because the
 * request is built from stored values only.
 *
 * @throws ProviderUnavailable when Stripe may or may not have made one
 */
export async function makeSession(
  stripe: Stripe,
  order: PlacedOrder,
  attempt: PaymentAttempt,
  siteUrl: string,
): Promise<SessionOutcome> {
  try {
    const params = sessionParams(order, attempt, siteUrl);
    const session = await stripe.checkout.sessions.create(params, { idempotencyKey: attempt.key });
    return { kind: 'open', session };
  } catch (thrown) {
    if (!(thrown instanceof Stripe.errors.StripeError)) throw thrown;
    if (thrown.code === 'idempotency_key_in_use') return { kind: 'busy' };
    // Stripe rejects some addresses that the shop accepts. Without an address it asks the shopper for one.
    if (thrown.code === 'email_invalid' && order.email !== '') {
      const withOtherKey = { ...attempt, key: `${attempt.key}:no-email` };
      return makeSession(stripe, { ...order, email: '' }, withOtherKey, siteUrl);
    }
    // Stripe keeps this failure, and repeats it for this idempotency key. A try under another key may succeed.
    const isKept = thrown.statusCode === 500 || thrown.headers?.['idempotent-replayed'] === 'true';
    if (isKept) return { kind: 'failed', error: unavailable(thrown) };
    throwUnlessRejected(thrown);
    // Stripe rejects the request itself, under any key: a bug of the shop.
    return { kind: 'failed', error: thrown };
  }
}

/**
 * Reads a session with its payment, whose status says whether it has failed or Stripe still processes it.
 * Null when this Stripe account has no such session.
 */
export async function readSession(stripe: Stripe, id: string): Promise<CheckoutSession | null> {
  try {
    return await callStripe(() =>
      stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] }),
    );
  } catch (thrown) {
    if (thrown instanceof Stripe.errors.StripeError && thrown.code === 'resource_missing') {
      return null;
    }
    throw thrown;
  }
}

/** Ends a session, or returns it as it is when it has expired or was paid; null when there is none. */
export async function expireCheckout(stripe: Stripe, id: string): Promise<CheckoutSession | null> {
  try {
    return await callStripe(() => stripe.checkout.sessions.expire(id));
  } catch (thrown) {
    if (!(thrown instanceof Stripe.errors.StripeInvalidRequestError)) throw thrown;
    return readSession(stripe, id);
  }
}

/**
 * Reads an event that Stripe has signed within the last minutes.
 *
 * @param now in milliseconds since 1970
 * @throws Stripe.errors.StripeSignatureVerificationError
 */
export function readEvent(
  stripe: Stripe,
  request: { readonly body: string; readonly signature: string; readonly secret: string },
  now: number,
): Promise<Stripe.Event> {
  const { body, signature, secret } = request;
  return stripe.webhooks.constructEventAsync(body, signature, secret, TOLERANCE_S, undefined, now);
}

/** Sends a request. @throws NotConfigured, ProviderUnavailable, or Stripe's error for a rejected request */
export async function callStripe<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (thrown) {
    if (thrown instanceof Stripe.errors.StripeError) throwUnlessRejected(thrown);
    throw thrown;
  }
}

/** Returns only when Stripe has understood the request and will always reject it. */
function throwUnlessRejected(error: InstanceType<typeof Stripe.errors.StripeError>): void {
  const { StripeAuthenticationError, StripePermissionError } = Stripe.errors;
  if (error instanceof StripeAuthenticationError || error instanceof StripePermissionError) {
    throw new NotConfigured(`Stripe rejected STRIPE_SECRET_KEY: ${error.message}`);
  }
  const { StripeInvalidRequestError, StripeIdempotencyError } = Stripe.errors;
  const isRejected =
    error instanceof StripeInvalidRequestError || error instanceof StripeIdempotencyError;
  if (!isRejected) throw unavailable(error);
}

function unavailable(error: InstanceType<typeof Stripe.errors.StripeError>): ProviderUnavailable {
  return new ProviderUnavailable(String(withoutStripeMessage(error)), { cause: error });
}

/** Longest product name on Stripe's page. */
const MAX_NAME_CHARS = 250;

/**
 * The request for a session. The same attempt gives an equal request, as its idempotency key demands. Where a
 * deploy has changed the request meanwhile, Stripe rejects it, and the shop makes another attempt.
 */
function sessionParams(order: PlacedOrder, attempt: PaymentAttempt, siteUrl: string) {
  const { full_name: name, address_line1: line1, ...restOfAddress } = order.address;
  return {
    mode: 'payment',
    client_reference_id: order.id,
    metadata: { order_id: order.id },
    ...(order.email === '' ? {} : { customer_email: order.email }),
    line_items: order.items.map((line) => ({
      quantity: line.quantity,
      price_data: {
        currency: 'usd',
        unit_amount: line.unit_minor,
        product_data: { name: lineName(line, MAX_NAME_CHARS), description: line.skc },
      },
    })),
    payment_intent_data: {
      metadata: { order_id: order.id },
      shipping: { name, address: { line1, ...restOfAddress } },
    },
    // The shopper pays the order's total, in the order's currency.
    adaptive_pricing: { enabled: false },
    expires_at: attempt.expires_at,
    // Stripe replaces this placeholder, whose braces must not be escaped.
    success_url: `${siteUrl}/checkout/success?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${siteUrl}/checkout`,
  } satisfies Stripe.Checkout.SessionCreateParams;
}

/** The payment event in a session; null while the shopper may still pay. */
export function eventOfSession(session: CheckoutSession): PaymentEvent | null {
  const outcome = outcomeOf(session);
  if (outcome === null) return null;
  // A session has no event id. This id follows from the state, so the database counts each state once.
  const event = paymentEventOf(session, outcome, '');
  return { ...event, eventId: ['ask', session.id, outcome, event.captureId].join(':') };
}

/** The payment event in a webhook's message; null for a message that orders do not need. */
export function eventOfStripe(event: Stripe.Event): PaymentEvent | null {
  switch (event.type) {
    case 'checkout.session.completed': {
      const session = event.data.object;
      // With a payment method that takes days, the session completes before it is paid.
      return paymentEventOf(
        session,
        session.payment_status === 'unpaid' ? 'pending' : 'captured',
        event.id,
      );
    }
    case 'checkout.session.async_payment_succeeded':
      return paymentEventOf(event.data.object, 'captured', event.id);
    case 'checkout.session.async_payment_failed':
      return paymentEventOf(event.data.object, 'failed', event.id);
    case 'checkout.session.expired':
      return paymentEventOf(event.data.object, 'expired', event.id);
    default:
      return null;
  }
}

function outcomeOf(session: CheckoutSession): PaymentEvent['outcome'] | null {
  if (session.status === 'expired') return 'expired';
  if (session.status !== 'complete') return null;
  if (session.payment_status !== 'unpaid') return 'captured';
  // A complete session takes no other payment, so a payment that the bank has refused has failed for good.
  const intent = session.payment_intent;
  const isOver =
    typeof intent === 'object' &&
    (intent?.status === 'requires_payment_method' || intent?.status === 'canceled');
  return isOver ? 'failed' : 'pending';
}

function paymentEventOf(
  session: CheckoutSession,
  outcome: PaymentEvent['outcome'],
  eventId: string,
): PaymentEvent {
  const { payment_intent: intent } = session;
  // Stripe makes no payment intent for a session in which nothing is to be paid.
  const intentId = typeof intent === 'string' ? intent : (intent?.id ?? session.id);
  return {
    provider: 'stripe',
    eventId,
    reference: session.id,
    outcome,
    amountMinor: session.amount_total,
    currency: session.currency?.toUpperCase() ?? null,
    mode: session.livemode ? 'live' : 'sandbox',
    captureId: outcome === 'captured' ? intentId : null,
  };
}

/** The refund or dispute in an event; null for other events, and for one that names no payment. */
export function reversalOfStripe(event: Stripe.Event): Reversal | null {
  switch (event.type) {
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return reversalOf(event, event.data.object, 'refund', refundState(event.data.object.status));
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
      return reversalOf(
        event,
        event.data.object,
        'dispute',
        disputeState(event.data.object.status),
      );
    default:
      return null;
  }
}

function reversalOf(
  { created, livemode }: Stripe.Event,
  { id, payment_intent: intent, amount, currency }: Stripe.Refund | Stripe.Dispute,
  kind: Reversal['kind'],
  state: Reversal['state'],
): Reversal | null {
  const paymentId = typeof intent === 'string' ? intent : intent?.id;
  if (paymentId === undefined) return null;
  return {
    provider: 'stripe',
    kind,
    id,
    paymentId,
    state,
    amountMinor: amount,
    currency: currency.toUpperCase(),
    mode: livemode ? 'live' : 'sandbox',
    saidAt: new Date(created * 1000),
  };
}

function refundState(status: string | null): Reversal['state'] {
  if (status === 'succeeded') return 'done';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
}

/**
 * A `warning_…` is a question of the bank's and takes no money, so a closed one is won. `prevented` is lost,
 * because the customer got the money back.
 */
function disputeState(status: Stripe.Dispute.Status): Reversal['state'] {
  if (status === 'won' || status === 'warning_closed') return 'won';
  return status === 'lost' || status === 'prevented' ? 'lost' : 'open';
}
