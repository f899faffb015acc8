import { announce } from '../ui/notices.ts';
import type { CheckOutcome, Progress } from './protocol.ts';
import { movesPricesFar } from './session-state.ts';
import { countOf, farPricesWords } from './words.ts';

/** Tells a screen reader about a check once, at its end. */
export function announceFound(found: CheckOutcome): void {
  if (found.kind !== 'checked') return;
  const { rows, added, changed, unchanged, rejected, prices } = found.check;
  announce(
    `The file has been checked: ${countOf(rows, 'row')}, ${countOf(added, 'product')} new, ` +
      `${countOf(changed, 'product')} changed, ${countOf(unchanged, 'product')} unchanged, ` +
      `${countOf(rejected, 'row')} refused.` +
      (movesPricesFar(found.check) ? ` ${farPricesWords(prices)}` : ''),
  );
}

/** Tells a screen reader about an import at every quarter. */
export function announceQuarter(before: Progress | null, { rows, totalRows }: Progress): void {
  if (!totalRows) return;
  const quarter = Math.floor((4 * rows) / totalRows);
  const last = Math.floor((4 * (before?.rows ?? 0)) / totalRows);
  if (quarter > last && quarter < 4) announce(`${quarter * 25} percent of the rows are stored.`);
}
