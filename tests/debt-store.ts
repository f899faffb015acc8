import type { DebtStore } from '../src/db/failure-budget.ts';

/** What a device's tabs share. */
export function debtStore(): DebtStore {
  let paidAtMs = 0;
  return {
    read: () => paidAtMs,
    write: (next) => {
      paidAtMs = next;
    },
  };
}
