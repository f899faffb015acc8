/**
 * A limit on failing requests: one device sends a failing shop at most 20 a minute, from all its tabs
 * together.
 *
 * It is a leaky bucket stored as one number (GCRA, ITU-T I.371): the time at which all past failures
 * are paid off. The number is in `localStorage`, which tabs in memory share too. While the device has
 * debt, a request pays before it is sent, so that two tabs cannot both use the last free place, and
 * gets its price back if it succeeds.
 */
import type { RequestPurpose, FailureBudget } from '../domain/failure.ts';

/** The price of one failure: the time in which the device pays it off. */
const FAILURE_MS = 5100;
/**
 * How many requests in a row may fail for each purpose. At most 7 fail at first. Within a minute the device pays
 * off 11 failures (60 s / 5.1 s), so 11 more may follow. One logout and one request for an order may fail too,
 * because they do not ask the budget. These are 20 requests, the limit.
 */
const AT_ONCE: Readonly<Record<RequestPurpose, number>> = {
  background: 3,
  catalogue: 4,
  changes: 6,
  session: 7,
};
/** The largest debt: otherwise a clock that was set back could block requests for days. */
const MOST_MS = 60_000;

/**
 * Without a network a request can only fail. It then has the smallest share, which leaves the larger ones for
 * the network's return. It is sent nevertheless, because some browsers are wrong about the network.
 */
function shareOf(purpose: RequestPurpose): number {
  const hasNetwork = !('onLine' in navigator) || navigator.onLine;
  return AT_ONCE[hasNetwork ? purpose : 'background'];
}

/** Stores the time at which all failures are paid off, in ms since 1970 by the phone's clock. */
export interface DebtStore {
  read(): number;
  write(paidAtMs: number): void;
}

export function failureBudget(now: () => number, store: DebtStore = deviceStore): FailureBudget {
  /** Whether the request under way has paid. */
  let isPaid = false;

  function debtMs(): number {
    const debt = store.read() - now();
    if (debt > MOST_MS) store.write(now() + MOST_MS);
    return Math.min(Math.max(debt, 0), MOST_MS);
  }

  const owe = (ms: number) => store.write(now() + Math.max(0, debtMs() + ms));

  return {
    take(purpose) {
      const debt = debtMs();
      // Without debt a request writes nothing.
      isPaid = debt > 0 && debt <= (shareOf(purpose) - 1) * FAILURE_MS;
      if (isPaid) owe(FAILURE_MS);
      return isPaid || debt === 0;
    },

    settle(hasFailed) {
      if (isPaid && !hasFailed) owe(-FAILURE_MS);
      if (!isPaid && hasFailed) owe(FAILURE_MS);
      isPaid = false;
    },

    spend() {
      owe(FAILURE_MS);
    },
  };
}

const KEY = 'weft-failure-debt';
let inMemory = 0;

/** Uses `localStorage`, or this tab's memory where that is blocked. */
const deviceStore: DebtStore = {
  read() {
    try {
      return Math.max(inMemory, Number(localStorage.getItem(KEY)) || 0);
    } catch {
      return inMemory;
    }
  },
  write(paidAtMs) {
    inMemory = 0;
    try {
      localStorage.setItem(KEY, String(paidAtMs));
    } catch {
      inMemory = paidAtMs;
    }
  },
};
