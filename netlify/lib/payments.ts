/**
 * Paying by card, from the order to Stripe's page and to the payment, and what both payment methods share.
 *
 * This code never decides what a payment means: it hands every payment event to `apply_payment`.
 */
import { fieldsOf, plainText } from '../../src/domain/fields.ts';
import { HttpError } from './http.ts';
import type { PaymentAttempt, PlacedOrder, RequestedOrder } from './orders.ts';
import { captureOf, payeeIn, unitOfCapture } from './paypal-objects.ts';
import { ordersOf, type Ports } from './ports.ts';
import { expiryWithoutPayment, type PaymentEvent, ProviderUnavailable } from './provider.ts';
import {
  type CheckoutSession,
  eventOfSession,
  expireCheckout,
  makeSession,
  readSession,
} from './stripe.ts';

/** A request gives up after so many steps, such as closing an earlier attempt: more of them mean a loop. */
export const MOST_STEPS = 6;
/** The pause before a step is this times the step's number: about 4 seconds in all. */
export const PAUSE_STEP_MS = 200;

/** Hands a payment event to the database. */
export async function applyPaymentEvent(ports: Ports, event: PaymentEvent): Promise<void> {
  await ordersOf(ports).apply(await withPayee(ports, event));
}

/**
 * The event with the account that got the money. A program with the shop's public client id may be able to name
 * another account in an order at PayPal. So the database compares the account with the one that PayPal named
 * when the shop made the order.
 */
async function withPayee(ports: Ports, event: PaymentEvent): Promise<PaymentEvent> {
  const isMissing = event.provider === 'paypal' && event.outcome === 'captured' && !event.payee;
  return isMissing ? { ...event, payee: await payeeAtPayPal(ports, event) } : event;
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

export interface CardCheckout {
  readonly sessionId: string;
  readonly url: string;
  readonly orderId: string;
}

/**
 * Places the order and opens its payment page. The same request sent again (a second press, another tab,
 * a lost answer) gets the same order and the same page.
 *
 * @throws HttpError for what cannot be bought or paid, in words for the shopper
 * @throws DatabaseUnavailable, ProviderUnavailable when the page may try again
 */
export async function createCheckout(ports: Ports, request: RequestedOrder): Promise<CardCheckout> {
  const { mode } = ports.cards();
  const orders = ordersOf(ports);
  const order = await orders.place({ ...request, mode });
  let hasFailed = false;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const begun = await orders.startAttempt(request.userId, order.id, 'stripe', request.again);
    if (begun.attempt === null) {
      await settleBlocker(ports, begun.of_order, begun.blocked_by);
      continue;
    }
    const card = await openCard(ports, order, begun.attempt);
    if (card.kind === 'open' && card.session.url !== null) {
      return { sessionId: card.session.id, url: card.session.url, orderId: order.id };
    }
    if (card.kind === 'busy') await ports.pause(PAUSE_STEP_MS * (step + 1));
    if (card.kind === 'failed') {
      // Stripe repeats some failures for the same idempotency key. A second attempt has another key, so its
      // failure decides.
      if (hasFailed) throw card.error;
      hasFailed = true;
    }
  }
  throw new ProviderUnavailable(`Stripe: no session for order ${order.id}`);
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
  throw new HttpError(
    409,
    'You’ve already started paying for this order another way. Go back to your cart and try again.',
    { code: 'payment-elsewhere' },
  );
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
 * Settles an attempt that blocks another one: ends it at Stripe, or learns from either provider that it was paid.
 * The caller then asks the database again.
 *
 * @throws HttpError 409 when its payment may still arrive
 */
export async function settleBlocker(
  ports: Ports,
  order: PlacedOrder,
  attempt: PaymentAttempt,
): Promise<void> {
  if (attempt.provider === 'stripe') return closeCard(ports, order, attempt);
  // An attempt at PayPal blocks others only while a capture request runs, which nobody can stop.
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
