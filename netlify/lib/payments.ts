/**
 * What both payment methods share. Time, the database and both providers are arguments (`Ports`), so that
 * tests and the simulator (tests/model) run the same code as the functions.
 *
 * This code never decides what a payment means: it hands every payment event to `apply_payment`.
 */
import { fieldsOf, plainText } from '../../src/domain/fields.ts';
import type Stripe from 'stripe';
import { NotConfigured, type PaymentMode } from './env.ts';
import { HttpError } from './http.ts';
import type { Applied, PaymentAttempt, CallDatabase, OrderRequest, PlacedOrder } from './orders.ts';
import { ordersIn } from './orders.ts';
import type { PayPalClient } from './paypal.ts';
import { captureOf, payeeIn, unitOfCapture } from './paypal-order.ts';
import {
  expiryWithoutPayment,
  type PaymentEvent,
  type Provider,
  ProviderUnavailable,
} from './provider.ts';
import { expireCheckout, makeSession, readSession } from './stripe.ts';
import { eventOfSession, type CheckoutSession } from './stripe-session.ts';

/** What the payment code is given to reach everything outside it; tests give it emulators. */
export interface Ports {
  /** Calls a function of the database. */
  readonly call: CallDatabase;
  /** The client for Stripe. @throws NotConfigured without keys */
  readonly cards: () => { readonly stripe: Stripe; readonly mode: PaymentMode };
  /** The client for PayPal. @throws NotConfigured without keys */
  readonly wallet: () => PayPalClient;
  /** The shop's own address, without a slash at its end. */
  readonly siteUrl: () => string;
  /** As `retentionDays` in `env.ts`. */
  readonly retentionDays: () => number | null;
  /** Deletes an account at the auth service; succeeds where it is gone already. */
  readonly removeAccount: (userId: string) => Promise<void>;
  readonly now: () => Date;
  /** Waits while another request does the same thing. */
  readonly pause: (ms: number) => Promise<void>;
  /** Writes a line to the log, which the shop's staff reads. */
  readonly log: (line: string) => void;
}

/** Whether the shop has keys with which a provider can be asked. */
export function hasKeys(ports: Ports, provider: Provider): boolean {
  try {
    if (provider === 'stripe') ports.cards();
    else ports.wallet();
    return true;
  } catch (thrown) {
    if (thrown instanceof NotConfigured) return false;
    throw thrown;
  }
}

/** The order that a shopper asks for; the provider's keys decide the mode. */
export interface RequestedOrder extends Omit<OrderRequest, 'mode'> {
  /** Whether the shopper has read that a payment for these lines is under way, and pays again. */
  readonly again: boolean;
}

/** A request gives up after so many steps, such as closing an earlier attempt: more of them mean a loop. */
export const MOST_STEPS = 6;
/** The pause before a step is this times the step's number: about 4 seconds in all. */
export const PAUSE_STEP_MS = 200;

/** The database's functions for orders, called through these ports. */
export const ordersOf = ({ call, now }: Ports) => ordersIn(call, now);

/** Verdicts of `apply_payment` that the shop's staff must look at. */
const NEEDS_STAFF = new Set(['needs_review', 'paid_late', 'paid_again', 'unknown']);

/** Hands a payment event to the database, and logs it where the shop's staff must act. */
export async function applyPaymentEvent(ports: Ports, event: PaymentEvent): Promise<Applied> {
  const applied = await ordersOf(ports).apply(await withPayee(ports, event));
  if (NEEDS_STAFF.has(applied.result) && event.outcome === 'captured') {
    const { provider, captureId } = event;
    const order = applied.order?.id ?? 'none of ours';
    ports.log(`${provider} payment ${captureId} is ${applied.result}, order ${order}`);
  }
  return applied;
}

/**
 * The event with the account that got the money. A program with the shop's public client id may be able to name
 * another account in an order at PayPal, so the database compares it with that of PayPal's answer to our order.
 */
async function withPayee(ports: Ports, event: PaymentEvent): Promise<PaymentEvent> {
  const isKnown = event.provider === 'stripe' || event.outcome !== 'captured' || event.payee;
  return isKnown ? event : { ...event, payee: await payeeAtPayPal(ports, event) };
}

/** @throws ProviderUnavailable while PayPal does not show the payment; PayPal then repeats its webhook */
async function payeeAtPayPal(
  ports: Ports,
  { reference, captureId }: PaymentEvent,
): Promise<string | null> {
  const answer = await ports.wallet().readOrder(reference);
  const unit = answer.ok ? unitOfCapture(answer.body, captureId) : null;
  if (unit === null) throw new ProviderUnavailable(`paypal does not show payment ${captureId} yet`);
  return payeeIn(unit);
}

/**
 * Where the card attempt of an order stands.
 *
 * - `open`   the shopper can pay at the session's address
 * - `over`   the attempt was paid, failed or expired, and the database knows which
 * - `failed` Stripe did not make a session; the server has given up the attempt
 * - `busy`   another request is making the session at this moment
 */
export type CardAttempt =
  | { readonly kind: 'open'; readonly session: CheckoutSession }
  | { readonly kind: 'over' | 'busy' }
  | { readonly kind: 'failed'; readonly error: Error };

/**
 * Finds or makes the Checkout Session of an attempt.
 *
 * @throws HttpError when another request gave up the attempt before Stripe answered
 */
export async function openCard(
  ports: Ports,
  order: PlacedOrder,
  attempt: PaymentAttempt,
): Promise<CardAttempt> {
  const { reference } = attempt;
  if (reference !== null) {
    const session = await readSession(ports.cards().stripe, reference);
    await applySession(ports, reference, session);
    return session?.status === 'open' ? { kind: 'open', session } : { kind: 'over' };
  }
  const made = await sessionFor(ports, order, attempt);
  if (made.kind !== 'open') return made;
  await openAttempt(ports, attempt, made.session.id);
  return made;
}

/**
 * Notes the provider's id of an attempt, which the shopper can pay from now on.
 *
 * @throws HttpError when another request gave up the attempt before the provider answered
 */
export async function openAttempt(
  ports: Ports,
  attempt: PaymentAttempt,
  reference: string,
  payee: string | null = null,
) {
  const recorded = await ordersOf(ports).recordReference(attempt, reference, payee);
  if (recorded?.state === 'open') return;
  throw new HttpError(409, 'This order is being paid in another way. Please start again.', {
    code: 'payment-elsewhere',
  });
}

/**
 * Ends a card attempt so that it can no longer be paid, or learns that the shopper has paid it.
 *
 * @throws ProviderUnavailable while another request is making its session
 */
export async function closeCard(
  ports: Ports,
  order: PlacedOrder,
  attempt: PaymentAttempt,
): Promise<void> {
  let { reference } = attempt;
  if (reference === null) {
    const made = await sessionFor(ports, order, attempt);
    if (made.kind === 'busy')
      throw new ProviderUnavailable('Stripe: the session is just being made');
    if (made.kind !== 'open') return;
    reference = made.session.id;
    await ordersOf(ports).recordReference(attempt, reference);
  }
  await applySession(ports, reference, await expireCheckout(ports.cards().stripe, reference));
}

/**
 * Closes an attempt at either provider that blocks another one, or learns that the shopper has paid it.
 *
 * @throws HttpError when its payment may still arrive
 */
export async function settleBlocker(
  ports: Ports,
  order: PlacedOrder,
  attempt: PaymentAttempt,
): Promise<void> {
  if (attempt.provider === 'stripe') return closeCard(ports, order, attempt);
  if ((await askWallet(ports, attempt)) === 'made') return;
  throw new HttpError(409, 'A payment for this order is being confirmed.', {
    code: 'payment-under-way',
  });
}

/**
 * Where the payment of a PayPal order stands.
 *
 * - `made`     PayPal has captured it, or has begun to
 * - `approved` the shopper has approved it, and PayPal waits for the shop's capture
 * - `none`     neither
 */
type WalletPayment = 'made' | 'approved' | 'none';

/** Asks PayPal whether it captured the payment, and applies the capture. */
export async function askWallet(ports: Ports, attempt: PaymentAttempt): Promise<WalletPayment> {
  const { reference } = attempt;
  if (reference === null) return 'none';
  const paypal = ports.wallet();
  const answer = await paypal.readOrder(reference);
  if (!answer.ok) return 'none';
  const payment = captureOf(answer.body, paypal.mode);
  if (payment === null) return answer.body['status'] === 'APPROVED' ? 'approved' : 'none';
  await applyPaymentEvent(ports, payment.event);
  return 'made';
}

/** Hands what a session says about its payment to the database; null is a session that Stripe does not have. */
async function applySession(ports: Ports, reference: string, session: CheckoutSession | null) {
  const { mode } = ports.cards();
  const event =
    session === null
      ? expiryWithoutPayment('stripe', reference, mode, 'missing')
      : eventOfSession(session);
  if (event !== null) await applyPaymentEvent(ports, event);
}

/** Makes a session, or gets the one that Stripe made before for this attempt's idempotency key. */
async function sessionFor(
  ports: Ports,
  order: PlacedOrder,
  attempt: PaymentAttempt,
): Promise<CardAttempt> {
  // If Stripe made a session whose answer was lost, it has expired, and no shopper got its address.
  if (attempt.expires_at * 1000 <= ports.now().getTime()) {
    await ordersOf(ports).failAttempt(attempt, 'too late');
    return { kind: 'over' };
  }
  const made = await makeSession(ports.cards().stripe, order, attempt, ports.siteUrl());
  if (made.kind === 'failed') await ordersOf(ports).failAttempt(attempt, reasonOf(made.error));
  return made;
}

/** Stripe's code or type of an error; its message may hold the shopper's address. */
function reasonOf(error: Error): string {
  const { code, type } = fieldsOf(error);
  return plainText(code) || plainText(type) || error.name;
}
