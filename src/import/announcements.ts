import { announce } from '../ui/notices.ts';
import type { CheckOutcome, Progress } from './protocol.ts';
import { hasManyPriceJumps } from './session-state.ts';
import { priceJumpsWords, rowCountsWords } from './words.ts';

/** Tells a screen reader about a check once, at its end. */
export function announceCheck(outcome: CheckOutcome): void {
  if (outcome.kind !== 'checked') return;
  const { check } = outcome;
  announce(
    `The file has been checked. ${rowCountsWords(check)}` +
      (hasManyPriceJumps(check) ? ` ${priceJumpsWords(check.prices)}` : ''),
  );
}

/** Tells a screen reader about an import at every quarter. */
export function announceQuarter(previous: Progress | null, { rows, totalRows }: Progress): void {
  if (!totalRows) return;
  const quarter = Math.floor((4 * rows) / totalRows);
  const before = Math.floor((4 * (previous?.rows ?? 0)) / totalRows);
  if (quarter > before && quarter < 4) announce(`${quarter * 25} percent of the rows are stored.`);
}
