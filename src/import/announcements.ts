import { announce } from '../ui/notices.ts';
import type { CheckOutcome, Progress } from './protocol.ts';
import { hasManyPriceJumps } from './session-state.ts';
import { countOf, priceJumpsWords } from './words.ts';

/** Tells a screen reader about a check once, at its end. */
export function announceCheck(outcome: CheckOutcome): void {
  if (outcome.kind !== 'checked') return;
  const { check } = outcome;
  const { rows, added, changed, unchanged, rejected, skipped, prices } = check;
  announce(
    `The file has been checked: ${countOf(rows, 'row')}, ${countOf(added, 'product')} new, ` +
      `${countOf(changed, 'product')} changed, ${countOf(unchanged, 'product')} unchanged, ` +
      `${countOf(rejected, 'row')} refused, ${countOf(skipped, 'row')} skipped.` +
      (hasManyPriceJumps(check) ? ` ${priceJumpsWords(prices)}` : ''),
  );
}

/** Tells a screen reader about an import at every quarter. */
export function announceQuarter(previous: Progress | null, { rows, totalRows }: Progress): void {
  if (!totalRows) return;
  const quarter = Math.floor((4 * rows) / totalRows);
  const last = Math.floor((4 * (previous?.rows ?? 0)) / totalRows);
  if (quarter > last && quarter < 4) announce(`${quarter * 25} percent of the rows are stored.`);
}
