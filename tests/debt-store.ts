/** The part of `localStorage` that the failure budget uses, for tests. */
import type { DebtStore } from '../src/db/failure-budget.ts';

/** A store of the failure budget's debt in memory, which tabs of one device share in `localStorage`. */
export function debtStore(): DebtStore {
  /** When the debt of all failed requests will be paid. */
  let paidAtMs = 0;
  return {
    read: () => paidAtMs,
    write: (next) => {
      paidAtMs = next;
    },
  };
}
