/**
 * Asks the providers about payments, refunds and disputes for which no webhook came, and closes
 * attempts and orders whose time is over. It may run at any time and any number of times, and be
 * interrupted anywhere.
 */
import { HttpError } from './http.ts';
import type { PaymentAttempt, PlacedOrder } from './orders.ts';
import { applyPaymentEvent, askWallet, closeCard, openCard } from './payments.ts';
import { hasKeys, ordersOf, type Ports } from './ports.ts';
import { expiryWithoutPayment, withoutStripeMessage } from './provider.ts';
import { readMissedReversals } from './missed-reversals.ts';
import { openSteps } from './scheduled-steps.ts';
import { finishCapture } from './wallet-checkout.ts';

/**
 * When no further payment is asked about: Netlify ends a scheduled function after 30 seconds, and a payment that
 * was begun may take three requests, of 5 seconds each (`functions/reconcile.ts`).
 */
const MAX_SETTLING_MS = 12_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** @returns how many steps have failed */
export async function reconcile(ports: Ports): Promise<number> {
  const began = ports.now();
  const steps = openSteps(ports, 'reconcile');
  const untilMs = began.getTime() + MAX_SETTLING_MS;
  await steps.run('payments', () => settleDue(ports, untilMs));
  await steps.run('expire_orders', () => ordersOf(ports).expire());
  if (isTimeToRead(began)) {
    for (const provider of ['stripe', 'paypal'] as const) {
      const step = `refunds and disputes at ${provider}`;
      await steps.run(step, () => readMissedReversals(ports, provider));
    }
  }
  return steps.failed();
}

/** Whether it is the run of 02:00 UTC; there is one every five minutes. */
function isTimeToRead(now: Date): boolean {
  return now.getUTCHours() === 2 && now.getUTCMinutes() < 5;
}

async function settleDue(ports: Ports, untilMs: number): Promise<void> {
  while (ports.now().getTime() < untilMs) {
    // One at a time, because an attempt that is handed out but not asked about waits for its next turn.
    const [due] = await ordersOf(ports).attemptsToAsk(1);
    if (!due) return;
    const { attempt, order } = due;
    // An attempt that cannot be settled now must not hold up the others.
    await settle(ports, order, attempt).catch((thrown: unknown) => {
      const reason = String(withoutStripeMessage(thrown));
      ports.log(`order ${order.id}, attempt ${attempt.number}: ${reason}`);
    });
  }
}

async function settle(ports: Ports, order: PlacedOrder, attempt: PaymentAttempt): Promise<void> {
  const { provider, reference } = attempt;
  if (reference !== null && isAbandoned(ports, attempt)) {
    await applyPaymentEvent(
      ports,
      expiryWithoutPayment(provider, reference, order.mode, 'no-keys'),
    );
    return;
  }
  try {
    if (attempt.provider === 'stripe') {
      const mayBePaid = order.state === 'pending' || attempt.state === 'processing';
      // For an attempt without a reference this gets the session whose answer was lost.
      if (mayBePaid) await openCard(ports, order, attempt);
      else await closeCard(ports, order, attempt);
    } else if (attempt.state === 'capturing') {
      await finishCapture(ports, order, attempt);
    } else {
      await askWallet(ports, attempt);
    }
  } catch (thrown) {
    // The provider rejected the payment, which settles the attempt as well.
    if (!(thrown instanceof HttpError)) throw thrown;
  }
}

/**
 * Whether an attempt ended a day ago or longer at a provider for which the shop has no keys. A payment that the
 * provider still processes may arrive, and a capture may have taken money, so neither is abandoned.
 */
function isAbandoned(
  ports: Ports,
  { provider, state, expires_at: expiresAt }: PaymentAttempt,
): boolean {
  const isLongOver = ports.now().getTime() >= expiresAt * 1000 + DAY_MS;
  const mayBePaid = state === 'processing' || state === 'capturing';
  return isLongOver && !mayBePaid && !hasKeys(ports, provider);
}
