/**
 * A limit on failing requests: however many tabs are open and whatever wakes them, a shop that is
 * unwell hears at most 20 a minute from one device.
 *
 * It is a leaky bucket as one number, the time until which all that has failed is paid for (GCRA, as
 * in ITU-T I.371). The number lies in `localStorage`, where all tabs find it, also those that go on in
 * memory because the database fails. While something is owed, a request is paid for before it is
 * sent, so several tabs do not use the same room, and gets its price back when it succeeds: once the
 * shop answers, nobody waits for another.
 */
import type { Asker, FailureBudget } from '../domain/failure.ts';

/** Each failure is paid for by so much time. */
const EACH_MS = 5300;
/** So many may follow one another without a pause: eight, eleven in pauses and one logout are twenty. */
const AT_ONCE: Readonly<Record<Asker, number>> = {
  background: 3,
  catalogue: 4,
  changes: 6,
  session: 8,
};
/** A clock that was set back must not keep the shop away. */
const MOST_MS = 60_000;

/** Where the number is: the time until which all is paid for, by the phone's clock. */
export interface DebtStore {
  read(): number;
  write(paidAtMs: number): void;
}

export function failureBudget(now: () => number, store: DebtStore = ofDevice): FailureBudget {
  /** Whether the request under way is paid for. */
  let isPaid = false;

  function debtMs(): number {
    const debt = store.read() - now();
    if (debt > MOST_MS) store.write(now() + MOST_MS);
    return Math.min(Math.max(debt, 0), MOST_MS);
  }

  const owe = (ms: number) => store.write(now() + Math.max(0, debtMs() + ms));

  return {
    take(what) {
      const debt = debtMs();
      // While nothing is owed, nothing is written.
      isPaid = debt > 0 && debt <= (AT_ONCE[what] - 1) * EACH_MS;
      if (isPaid) owe(EACH_MS);
      return isPaid || debt === 0;
    },

    settle(hasFailed) {
      if (isPaid && !hasFailed) owe(-EACH_MS);
      if (!isPaid && hasFailed) owe(EACH_MS);
      isPaid = false;
    },

    spend() {
      owe(EACH_MS);
    },
  };
}

const KEY = 'weft-failure-debt';
let inMemory = 0;

/** For this tab alone where `localStorage` is blocked. */
const ofDevice: DebtStore = {
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
