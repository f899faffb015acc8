import type { DebtStore } from '../src/db/failure-budget.ts';

/** Keeps the failure budget's debt in memory, in place of the `localStorage` that tabs of a device share. */
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
