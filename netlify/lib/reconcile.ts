/**
 * Asks the providers about payments, refunds and disputes for which no webhook came, and closes
 * attempts and orders whose time is over. It may run at any time, any number of times, and be interrupted anywhere.
 */
import { HttpError } from './http.ts';
import type { Attempt, PlacedOrder } from './orders.ts';
import type { Ports } from './payments.ts';
import { closeCard, openCard, ordersOf } from './payments.ts';
import { readMissedReversals } from './reversals.ts';
import { askWallet, finishCapture } from './wallet-checkout.ts';

export interface Reconciled {
  /** The attempts that the function asked the providers about, and how many of them failed. */
  readonly asked: number;
  readonly failed: number;
  readonly expired: number;
  /** Steps that failed; the next run repeats them. The log says which, and why. */
  readonly neglected: number;
}

const BATCH = 10;
/** Scheduled functions have 30 seconds. */
const LONGEST_MS = 20_000;
const DAY_MS = 24 * 60 * 60 * 1000;

export async function reconcile(ports: Ports): Promise<Reconciled> {
  let neglected = 0;
  /** Runs one step. A failure is counted and logged, so that the steps after it still run. */
  async function runStep<T>(name: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (thrown) {
      neglected += 1;
      ports.log(`reconcile, ${name}: ${String(thrown)}`);
      return null;
    }
  }
  const settled = await runStep('payments', () => settleDue(ports));
  const expired = await runStep('expire_orders', () => ordersOf(ports).expire());
  const reads = (await runStep('refunds', () => ordersOf(ports).beginReads())) ?? [];
  for (const { provider, since } of reads) {
    await runStep(`refunds at ${provider}`, () =>
      readMissedReversals(ports, provider, new Date(since)),
    );
  }
  for (const [name, days] of purgesDue(ports.now())) {
    await runStep(name, () => ports.call(name, { p_before: daysBefore(ports.now(), days) }));
  }
  return { ...(settled ?? { asked: 0, failed: 0 }), expired: expired ?? 0, neglected };
}

async function settleDue(ports: Ports): Promise<Pick<Reconciled, 'asked' | 'failed'>> {
  const orders = ordersOf(ports);
  const began = ports.now().getTime();
  let asked = 0;
  let failed = 0;
  let due: readonly { attempt: Attempt; order: PlacedOrder }[];
  do {
    due = await orders.toAsk(BATCH);
    for (const { attempt, order } of due) {
      asked += 1;
      // An attempt that cannot be settled now must not hold up the others.
      await settle(ports, order, attempt).catch((thrown: unknown) => {
        failed += 1;
        ports.log(`order ${order.id}, attempt ${attempt.number}: ${String(thrown)}`);
      });
    }
  } while (due.length > 0 && ports.now().getTime() - began < LONGEST_MS);
  return { asked, failed };
}

async function settle(ports: Ports, order: PlacedOrder, attempt: Attempt): Promise<void> {
  try {
    if (attempt.provider === 'stripe') {
      const isWanted = order.state === 'pending' || attempt.state === 'processing';
      if (isWanted) await openCard(ports, order, attempt);
      else await closeCard(ports, order, attempt);
    } else if (attempt.state === 'capturing') {
      await finishCapture(ports, order, attempt);
    } else {
      await askWallet(ports, attempt);
    }
  } catch (thrown) {
    // A rejection by the provider settles the attempt too.
    if (!(thrown instanceof HttpError)) throw thrown;
  }
}

/**
 * The database's functions that delete old rows, and the age in days of what they delete: tombstones
 * that no phone asks for, changes that no phone can send again, orders that were never paid. They run
 * once a day, at night.
 */
function purgesDue(now: Date): readonly (readonly [name: string, days: number])[] {
  if (now.getUTCHours() !== 3 || now.getUTCMinutes() >= 5) return [];
  return [
    ['purge_product_deletions', 90],
    ['prune_applied_changes', 400],
    ['prune_unpaid_orders', 30],
  ];
}

function daysBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * DAY_MS).toISOString();
}
