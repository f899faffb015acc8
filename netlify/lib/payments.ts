/**
 * What every way to pay is made of. Time, the database and both providers are arguments, so the same
 * code runs in a function, in a test, and ten thousand times in a row under a model.
 *
 * Nothing here decides what a payment means: event of it goes to `apply_payment` and nowhere else.
 */
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
  readonly now: () => Date;
  /** Waits, while another request does the same thing. In milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  /** Hears what a person of the shop should know. */
  readonly log: (line: string) => void;
}

/** What a shopper asks to pay; the mode comes from the keys of the provider. */
export type RequestedOrder = Omit<OrderRequest, 'mode'>;

/** Steps on the way to a payment page, such as giving up another attempt; more means a circle. */
export const MOST_STEPS = 6;
/** Times the number of the step: about 3 seconds in all. */
export const PAUSE_MS = 200;

export const ordersOf = ({ call, now }: Ports) => ordersIn(call, now);

const FOR_A_PERSON = new Set(['needs_review', 'paid_late', 'paid_again', 'unknown']);

/** Hands event to the database, and tells the shop where a person is needed. */
export async function applyPaymentEvent(ports: Ports, event: PaymentEvent): Promise<Applied> {
  const applied = await ordersOf(ports).apply(event);
  if (FOR_A_PERSON.has(applied.result) && event.outcome === 'captured') {
    const { provider, captureId } = event;
    const order = applied.order?.id ?? 'none of ours';
    ports.log(`${provider} payment ${captureId} is ${applied.result}, order ${order}`);
  }
  return applied;
}

/**
 * What became of the card attempt of an order.
 *
 * - `open`   the shopper can pay at the session's address
 * - `over`   nobody can pay by it any more; the database knows why
 * - `failed` Stripe did not make a session; the attempt is given up
 * - `busy`   another request is making the session at this moment
 */
export type CardAttempt =
  | { readonly kind: 'open'; readonly session: Session }
  | { readonly kind: 'over' | 'busy' }
  | { readonly kind: 'failed'; readonly error: Error };

/**
 * Finds or makes the Checkout Session of an attempt.
 *
 * @throws HttpError when the attempt was given up while Stripe answered
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

/** Makes sure that nobody can pay by a card attempt any more, or learns that somebody has. */
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

/** Asked for again under the same key, Stripe gives the session that it made the first time. */
async function newSession(
  ports: Ports,
  order: PlacedOrder,
  attempt: Attempt,
): Promise<CardAttempt> {
  // Its session, if there ever was one, has expired, and nobody was told its address.
  if (attempt.expires_at * 1000 <= ports.now().getTime()) {
    await ordersOf(ports).failAttempt(attempt, 'too late');
    return { kind: 'over' };
  }
  const made = await makeSession(ports.cards().stripe, order, attempt, ports.siteUrl());
  if (made.kind === 'failed') await ordersOf(ports).failAttempt(attempt, made.error.message);
  return made;
}
