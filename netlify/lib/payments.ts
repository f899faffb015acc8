/**
 * What both payment methods share. Time, the database and both providers are arguments, so the same
 * code runs in a function, in a test, and ten thousand times in a row in the simulator.
 *
 * This code never decides what a payment means: it hands every payment event to `apply_payment`.
 */
import { fieldsOf, plainText } from '../../src/domain/fields.ts';
import type Stripe from 'stripe';
import type { PaymentMode } from './env.ts';
import { HttpError } from './http.ts';
import type { Applied, Attempt, CallDatabase, OrderRequest, PlacedOrder } from './orders.ts';
import { ordersIn } from './orders.ts';
import type { PayPal } from './paypal.ts';
import type { PaymentEvent } from './provider.ts';
import { ProviderUnavailable } from './provider.ts';
import { endSession, makeSession, readSession } from './stripe.ts';
import type { Session } from './stripe-session.ts';
import { eventOfMissing, eventOfSession } from './stripe-session.ts';

export interface Ports {
  readonly call: CallDatabase;
  /** Each throws NotConfigured where the shop has no keys for it. */
  readonly cards: () => { readonly stripe: Stripe; readonly mode: PaymentMode };
  readonly wallet: () => PayPal;
  /** Without a slash at its end. */
  readonly siteUrl: () => string;
  /** As `retentionDays` in `env.ts`. */
  readonly retentionDays: () => number | null;
  readonly now: () => Date;
  /** Waits so many milliseconds while another request does the same thing. */
  readonly pause: (ms: number) => Promise<void>;
  /** Writes a line to the log that the shop's staff should read. */
  readonly log: (line: string) => void;
}

/** The order that a shopper asks for; the provider's keys decide the mode. */
export type RequestedOrder = Omit<OrderRequest, 'mode'>;

/** Steps towards a payment page, such as closing an earlier attempt; more than these mean a loop. */
export const MOST_STEPS = 6;
/** The pause before a step is this times the step's number: about 3 seconds in all. */
export const PAUSE_MS = 200;

export const ordersOf = ({ call, now }: Ports) => ordersIn(call, now);

/** Verdicts of `apply_payment` that the shop's staff must look at. */
const NEEDS_STAFF = new Set(['needs_review', 'paid_late', 'paid_again', 'unknown']);

/** Hands a payment event to the database, and logs it where the shop's staff must act. */
export async function applyPaymentEvent(ports: Ports, event: PaymentEvent): Promise<Applied> {
  const applied = await ordersOf(ports).apply(event);
  if (NEEDS_STAFF.has(applied.result) && event.outcome === 'captured') {
    const { provider, captureId } = event;
    const order = applied.order?.id ?? 'none of ours';
    ports.log(`${provider} payment ${captureId} is ${applied.result}, order ${order}`);
  }
  return applied;
}

/**
 * Where the card attempt of an order stands.
 *
 * - `open`   the shopper can pay at the session's address
 * - `over`   the attempt can no longer be paid; the database knows why
 * - `failed` Stripe did not make a session; the server has given the attempt up
 * - `busy`   another request is making the session at this moment
 */
export type CardAttempt =
  | { readonly kind: 'open'; readonly session: Session }
  | { readonly kind: 'over' | 'busy' }
  | { readonly kind: 'failed'; readonly error: Error };

/**
 * Finds or makes the Checkout Session of an attempt.
 *
 * @throws HttpError when another request gave the attempt up before Stripe answered
 */
export async function openCard(
  ports: Ports,
  order: PlacedOrder,
  attempt: Attempt,
): Promise<CardAttempt> {
  const { reference } = attempt;
  if (reference !== null) {
    const session = await readSession(ports.cards().stripe, reference);
    await takeSession(ports, reference, session);
    return session?.status === 'open' ? { kind: 'open', session } : { kind: 'over' };
  }
  const made = await newSession(ports, order, attempt);
  if (made.kind !== 'open') return made;
  const { state } = await ordersOf(ports).recordReference(attempt, made.session.id);
  if (state === 'open') return made;
  throw new HttpError(409, 'This order is being paid in another way. Please start again.', {
    code: 'payment-elsewhere',
  });
}

/** Ends a card attempt so that it can no longer be paid, or learns that the shopper has paid it. */
export async function closeCard(ports: Ports, order: PlacedOrder, attempt: Attempt): Promise<void> {
  let { reference } = attempt;
  if (reference === null) {
    const made = await newSession(ports, order, attempt);
    if (made.kind === 'busy')
      throw new ProviderUnavailable('Stripe: the session is just being made');
    if (made.kind !== 'open') return;
    reference = made.session.id;
    await ordersOf(ports).recordReference(attempt, reference);
  }
  await takeSession(ports, reference, await endSession(ports.cards().stripe, reference));
}

async function takeSession(ports: Ports, reference: string, session: Session | null) {
  const { mode } = ports.cards();
  const event = session === null ? eventOfMissing(reference, mode) : eventOfSession(session);
  if (event !== null) await applyPaymentEvent(ports, event);
}

/** Under the same idempotency key Stripe returns the session that it made the first time. */
async function newSession(
  ports: Ports,
  order: PlacedOrder,
  attempt: Attempt,
): Promise<CardAttempt> {
  // The attempt's session, if Stripe made one, has expired, and no shopper ever got its address.
  if (attempt.expires_at * 1000 <= ports.now().getTime()) {
    await ordersOf(ports).failAttempt(attempt, 'too late');
    return { kind: 'over' };
  }
  const made = await makeSession(ports.cards().stripe, order, attempt, ports.siteUrl());
  if (made.kind === 'failed') await ordersOf(ports).failAttempt(attempt, reasonOf(made.error));
  return made;
}

/** Stripe's code or type of an error. Its message may hold the shopper's address. */
function reasonOf(error: Error): string {
  const { code, type } = fieldsOf(error);
  return plainText(code) || plainText(type) || error.name;
}
