/** Stripe's API, as far as a shop needs it, and what its failures mean. */
import Stripe from 'stripe';
import { NotConfigured, type StripeSettings } from './env.ts';
import type { PaymentAttempt, PlacedOrder } from './orders.ts';
import { ProviderUnavailable, type RequestOptions, withoutStripeMessage } from './provider.ts';
import { type CheckoutSession, sessionParams } from './stripe-session.ts';

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
    // After these Stripe gives every request with this idempotency key the same answer.
    const isFinal = thrown.statusCode === 500 || thrown.headers?.['idempotent-replayed'] === 'true';
    if (!isFinal) throwUnlessRejected(thrown);
    // After these the shopper may try again, under another key. Any other request that Stripe rejects is our bug.
    const error = isFinal ? unavailable(thrown) : thrown;
    return { kind: 'failed', error };
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
    throw new NotConfigured(`Stripe does not take STRIPE_SECRET_KEY: ${error.message}`);
  }
  const { StripeInvalidRequestError, StripeIdempotencyError } = Stripe.errors;
  const isRejected =
    error instanceof StripeInvalidRequestError || error instanceof StripeIdempotencyError;
  if (!isRejected) throw unavailable(error);
}

function unavailable(error: InstanceType<typeof Stripe.errors.StripeError>): ProviderUnavailable {
  return new ProviderUnavailable(String(withoutStripeMessage(error)), { cause: error });
}
