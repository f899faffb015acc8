/** Stripe's API, as far as a shop needs it, and what its failures mean. */
import Stripe from 'stripe';
import type { StripeSettings } from './env.ts';
import { NotConfigured } from './env.ts';
import type { Attempt, PlacedOrder } from './orders.ts';
import { ProviderUnavailable } from './provider.ts';
import type { Session } from './stripe-session.ts';
import { sessionParams } from './stripe-session.ts';

/**
 * What came of asking for a session.
 *
 * - `failed` nobody can pay by this attempt: Stripe keeps the failure under its key
 * - `busy`   another request with the same key is under way
 */
export type SessionOutcome =
  | { readonly kind: 'open'; readonly session: Session }
  | { readonly kind: 'failed'; readonly error: Error }
  | { readonly kind: 'busy' };

export interface StripeOptions {
  /** In place of the network. */
  readonly fetch?: typeof globalThis.fetch;
  /** More requests after one that got no answer. */
  readonly retries?: number;
}

/** Three tries of this length leave time for the rest of the 60 seconds that a function has. */
const TIMEOUT_MS = 10_000;
/** Older signatures may have been recorded and sent again. Source: Stripe, "Webhook signatures". */
const TOLERANCE_S = 300;
export function openStripe(
  { secretKey, apiUrl }: StripeSettings,
  { fetch, retries = 2 }: StripeOptions = {},
): Stripe {
  return new Stripe(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: retries,
    telemetry: false,
    ...(apiUrl && { protocol: 'http', host: apiUrl.hostname, port: apiUrl.port }),
    ...(fetch && { httpClient: Stripe.createFetchHttpClient(fetch) }),
  });
}

/**
 * Asks for the session of an attempt. The same attempt gives the same session: all that is sent
 * comes from what is stored.
 *
 * @throws ProviderUnavailable when it is not known whether there is one
 */
export async function makeSession(
  stripe: Stripe,
  order: PlacedOrder,
  attempt: Attempt,
  siteUrl: string,
): Promise<SessionOutcome> {
  try {
    const params = sessionParams(order, attempt, siteUrl);
    const session = await stripe.checkout.sessions.create(params, { idempotencyKey: attempt.key });
    return { kind: 'open', session };
  } catch (thrown) {
    if (!(thrown instanceof Stripe.errors.StripeError)) throw thrown;
    if (thrown.code === 'idempotency_key_in_use') return { kind: 'busy' };
    const isKept = thrown.statusCode === 500 || thrown.headers?.['idempotent-replayed'] === 'true';
    if (!isKept) throwUnlessRejected(thrown);
    // A failure on their side passes with another key; a request that they do not take is a bug.
    const error = isKept
      ? new ProviderUnavailable(`Stripe: ${thrown.message}`, { cause: thrown })
      : thrown;
    return { kind: 'failed', error };
  }
}

/**
 * With its payment, which tells a failed one from one that Stripe still has in work. Null when
 * this account has no such session.
 */
export async function readSession(stripe: Stripe, id: string): Promise<Session | null> {
  try {
    return await asking(() =>
      stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] }),
    );
  } catch (thrown) {
    if (thrown instanceof Stripe.errors.StripeError && thrown.code === 'resource_missing') {
      return null;
    }
    throw thrown;
  }
}

/** Ends a session; one that had ended by itself, or was paid, is returned as it is. */
export async function endSession(stripe: Stripe, id: string): Promise<Session | null> {
  try {
    return await asking(() => stripe.checkout.sessions.expire(id));
  } catch (thrown) {
    if (!(thrown instanceof Stripe.errors.StripeInvalidRequestError)) throw thrown;
    return readSession(stripe, id);
  }
}

/**
 * An event, when Stripe has signed it just now.
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

/** @throws NotConfigured, ProviderUnavailable; a rejection as it is */
export async function asking<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (thrown) {
    if (thrown instanceof Stripe.errors.StripeError) throwUnlessRejected(thrown);
    throw thrown;
  }
}

/** Returns for a request that Stripe understood and rejects, now and later. */
function throwUnlessRejected(error: InstanceType<typeof Stripe.errors.StripeError>): void {
  const { StripeAuthenticationError, StripePermissionError } = Stripe.errors;
  if (error instanceof StripeAuthenticationError || error instanceof StripePermissionError) {
    throw new NotConfigured(`Stripe does not take STRIPE_SECRET_KEY: ${error.message}`);
  }
  const { StripeInvalidRequestError, StripeIdempotencyError } = Stripe.errors;
  const isRejected =
    error instanceof StripeInvalidRequestError || error instanceof StripeIdempotencyError;
  if (!isRejected) throw new ProviderUnavailable(`Stripe: ${error.message}`, { cause: error });
}
