/**
 * Finds out what became of payments of which no news came, and closes what is over. It may run at
 * any time, any number of times, and be cut off anywhere.
 */
import { Refusal } from './http.ts';
import type { Attempt, PlacedOrder } from './orders.ts';
import type { Ports } from './payments.ts';
import { closeCard, openCard, ordersOf } from './payments.ts';
import { askWallet, finishCapture } from './wallet-checkout.ts';

export interface Reconciled {
  /** Attempts that providers were asked about, and how many of them gave no answer. */
  readonly asked: number;
  readonly failed: number;
  readonly expired: number;
}

const BATCH = 10;
/** Scheduled functions have 30 seconds. */
const LONGEST_MS = 20_000;
const DAY_MS = 24 * 60 * 60 * 1000;

export async function reconcile(ports: Ports): Promise<Reconciled> {
  const orders = ordersOf(ports);
  const began = ports.now().getTime();
  let asked = 0;
  let failed = 0;
  let due: readonly { attempt: Attempt; order: PlacedOrder }[];
  do {
    due = await orders.toAsk(BATCH);
    for (const { attempt, order } of due) {
      asked += 1;
      // One that cannot be settled now must not keep the others waiting.
      await settle(ports, order, attempt).catch((thrown: unknown) => {
        failed += 1;
        ports.log(`order ${order.id}, attempt ${attempt.number}: ${String(thrown)}`);
      });
    }
  } while (due.length > 0 && ports.now().getTime() - began < LONGEST_MS);
  const expired = await orders.expire();
  await forgetOldThings(ports);
  return { asked, failed, expired };
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
    // The provider has said no, which settles it too.
    if (!(thrown instanceof Refusal)) throw thrown;
  }
}

/** Once a day, at night: tombstones that no phone asks for, changes that none can send again. */
async function forgetOldThings({ call, now }: Ports): Promise<void> {
  const today = now();
  if (today.getUTCHours() !== 3 || today.getUTCMinutes() >= 5) return;
  const daysAgo = (days: number) => new Date(today.getTime() - days * DAY_MS).toISOString();
  await call('purge_product_deletions', { p_before: daysAgo(90) });
  await call('prune_applied_changes', { p_before: daysAgo(400) });
}
