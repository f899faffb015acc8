import type { DebtStore } from '../src/db/failure-budget.ts';

/** A store in memory, as the tabs of one device share one in `localStorage`. */
export function debtStore(): DebtStore {
  let paidAtMs = 0;
  return {
    read: () => paidAtMs,
    write: (next) => {
      paidAtMs = next;
    },
  };
}
