/**
 * Asks the providers about payments, refunds and disputes for which no webhook came, and closes
 * attempts and orders whose time is over. It may run at any time and any number of times, and be
 * interrupted anywhere.
 */
import { HttpError } from './http.ts';
import { addNotice } from './notices.ts';
import type { PaymentAttempt, PlacedOrder } from './orders.ts';
import {
  applyPaymentEvent,
  askWallet,
  closeCard,
  hasKeys,
  openCard,
  ordersOf,
  type Ports,
} from './payments.ts';
import { deleteAccount } from './people.ts';
import { expiryWithoutPayment, withoutStripeMessage } from './provider.ts';
import { readMissedReversals } from './reversals.ts';
import { finishCapture } from './wallet-checkout.ts';

export interface Reconciled {
  /** The attempts that the function asked the providers about, and how many of them failed. */
  readonly asked: number;
  readonly failed: number;
  /** Orders that were closed because they were not paid in time. */
  readonly expired: number;
  /** Steps that failed; the next run repeats them. The log says which, and why. */
  readonly neglected: number;
}

/** Payments stop here, because there may always be one more to ask about. */
const MAX_SETTLING_MS = 12_000;
/** Payments get this much time even after a long upkeep, because each run of a night may have a long one. */
const MIN_SETTLING_MS = 2000;
/** No payment is asked about later than this, because its requests might outlast Netlify's limit. */
const LATEST_SETTLING_MS = 15_000;
/** The nightly upkeep, which comes first, leaves the rest to the providers. */
const MAX_UPKEEP_MS = 6000;
const DAY_MS = 24 * 60 * 60 * 1000;

export async function reconcile(ports: Ports): Promise<Reconciled> {
  const began = ports.now();
  let neglected = 0;
  /** Runs one step. A failure is counted and logged, so that the steps after it still run. */
  async function runStep<T>(name: string, step: () => Promise<T>): Promise<T | null> {
    try {
      return await step();
    } catch (thrown) {
      neglected += 1;
      ports.log(`reconcile, ${name}: ${String(withoutStripeMessage(thrown))}`);
      await noteFailure(ports, name);
      return null;
    }
  }
  // The upkeep comes first, because a slow provider may leave no time for it afterwards.
  if (isNight(began)) await runStep('nightly upkeep', () => keepUpNightly(ports, runStep));
  const upkeepMs = ports.now().getTime() - began.getTime();
  const settlingMs = Math.max(MAX_SETTLING_MS, upkeepMs + MIN_SETTLING_MS);
  const settlingEndsMs = began.getTime() + Math.min(settlingMs, LATEST_SETTLING_MS);
  const settled = await runStep('payments', () => settleDue(ports, settlingEndsMs));
  const expired = await runStep('expire_orders', () => ordersOf(ports).expire());
  if (isTimeToRead(began)) {
    for (const provider of ['stripe', 'paypal'] as const) {
      await runStep(`refunds and disputes at ${provider}`, () =>
        readMissedReversals(ports, provider),
      );
    }
  }
  return { ...(settled ?? { asked: 0, failed: 0 }), expired: expired ?? 0, neglected };
}

/** Whether it is the run of 02:00 UTC; there is one every five minutes. */
function isTimeToRead(now: Date): boolean {
  return now.getUTCHours() === 2 && now.getUTCMinutes() < 5;
}

/** Tells the operator of a failed step, once a day: it may fail every five minutes. */
async function noteFailure(ports: Ports, step: string): Promise<void> {
  const day = ports.now().toISOString().slice(0, 10);
  try {
    await addNotice(ports, 'upkeep_failed', `${step}:${day}`, { step, day });
  } catch (thrown) {
    ports.log(`reconcile, add_notice: ${String(thrown)}`);
  }
}

async function settleDue(
  ports: Ports,
  untilMs: number,
): Promise<Pick<Reconciled, 'asked' | 'failed'>> {
  let asked = 0;
  let failed = 0;
  while (ports.now().getTime() < untilMs) {
    // One at a time, because an attempt that is handed out but not asked about waits for its next turn.
    const [due] = await ordersOf(ports).attemptsToAsk(1);
    if (!due) break;
    const { attempt, order } = due;
    asked += 1;
    // An attempt that cannot be settled now must not hold up the others.
    await settle(ports, order, attempt).catch((thrown: unknown) => {
      failed += 1;
      const reason = String(withoutStripeMessage(thrown));
      ports.log(`order ${order.id}, attempt ${attempt.number}: ${reason}`);
    });
  }
  return { asked, failed };
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

/**
 * Repeats a SQL function until it returns 0, because nothing is left. Each call handles a limited number of
 * rows, so that none holds locks for long.
 *
 * @returns false when the time was over before the last of them
 */
async function repeatUntilNoneLeft(
  isTimeLeft: () => boolean,
  deleteSome: () => Promise<unknown>,
): Promise<boolean> {
  do {
    if (Number(await deleteSome()) === 0) return true;
  } while (isTimeLeft());
  return false;
}

/** Whether it is from 03:00 to 09:00 UTC; there is a run every five minutes, and any may be killed. */
function isNight(now: Date): boolean {
  return now.getUTCHours() >= 3 && now.getUTCHours() < 9;
}

/** Runs a step of the reconcile by its name; null when it failed. */
type RunStep = <T>(name: string, step: () => Promise<T>) => Promise<T | null>;

/**
 * Does what is due once a night. Where a step of `areDone` fails or its time is over, the next run does all steps
 * again.
 */
async function keepUpNightly(ports: Ports, runStep: RunStep): Promise<void> {
  const began = ports.now();
  const p_now = began.toISOString();
  const isTimeLeft = () => ports.now().getTime() - began.getTime() < MAX_UPKEEP_MS;
  if ((await ports.call('upkeep_is_due', { p_now })) !== true) return;
  const areDone: (boolean | null)[] = [];
  for (const [name, days] of PURGES) {
    const p_before = daysBefore(began, days);
    const purge = () => repeatUntilNoneLeft(isTimeLeft, () => ports.call(name, { p_before }));
    areDone.push(await runStep(name, purge));
  }
  areDone.push(await runStep('erase_due', () => eraseDue(ports, isTimeLeft)));
  const pruneNames = () => ports.call('prune_category_names', {}).then(() => true);
  areDone.push(await runStep('prune_category_names', pruneNames));
  // Not in `areDone`: an account that the auth service cannot delete must not repeat all steps every 5 minutes.
  await runStep('accounts_to_remove', () => removeLeftAccounts(ports, isTimeLeft));
  // Not in `areDone`: a log of millions takes several nights.
  const eraseLog = () => repeatUntilNoneLeft(isTimeLeft, () => ports.call('erase_auth_log', {}));
  await runStep('erase_auth_log', eraseLog);
  if (areDone.every((isDone) => isDone === true)) await ports.call('end_upkeep', { p_now });
}

/**
 * The database's functions that delete old rows, and the age in days of what they delete: tombstones
 * that no phone asks for, changes that no phone can send again, orders that were never paid.
 */
const PURGES: readonly (readonly [name: string, days: number])[] = [
  ['purge_product_deletions', 90],
  ['prune_applied_changes', 400],
  ['prune_unpaid_orders', 30],
];

/**
 * Erases who placed the orders of deleted accounts; of paid orders only after the retention time.
 *
 * @returns false when the time was over before the last of them
 */
async function eraseDue(ports: Ports, isTimeLeft: () => boolean): Promise<boolean> {
  /** Erases orders that were never paid and, unless it is null, those that were paid before this time. */
  const erase = (p_before: string | null) =>
    repeatUntilNoneLeft(isTimeLeft, () => ports.call('erase_due', { p_before }));
  const areUnpaidErased = await erase(null);
  // Throws where the setting is malformed: then no paid order is erased.
  const days = ports.retentionDays();
  return areUnpaidErased && (days === null || erase(daysBefore(ports.now(), days)));
}

/**
 * Deletes accounts whose deletion was cut off before the auth service had done its part, with what came after it.
 *
 * @throws the first failure, after the other accounts
 */
async function removeLeftAccounts(ports: Ports, isTimeLeft: () => boolean): Promise<void> {
  const accounts = (await ports.call('accounts_to_remove', {})) as readonly string[];
  const failures: unknown[] = [];
  for (const account of accounts) {
    if (!isTimeLeft()) break;
    await deleteAccount(ports, account).catch((thrown: unknown) => failures.push(thrown));
  }
  if (failures.length > 0) throw failures[0];
}

function daysBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * DAY_MS).toISOString();
}
