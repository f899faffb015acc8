/** Every row of a file is in exactly one count of its check, and of its import. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowsRead } from '../../src/domain/row-counts.ts';
import type { FileCheck } from '../../src/import/protocol.ts';
import { rowCountsWords } from '../../src/import/words.ts';
import { checkOf, newDevice, newPage } from './device.ts';
import { textFile } from './product-files.ts';

/** Few different cells, so that rows repeat a product, are blank, or are rejected. */
const cell = (...texts: readonly string[]) => fc.constantFrom('', ...texts);
const row = fc
  .tuple(cell('A', 'B', 'C', '1E+12'), cell('M', 'L'), cell('5', '6', '-1', 'x', '#N/A'))
  .map((cells) => cells.join(','));
const file = fc
  .array(fc.oneof(row, fc.constantFrom('A,M,5,too many', ',,', '', 'D,"S\nS",7')), {
    maxLength: 60,
  })
  .map((rows) => textFile(`SKC,Size,Retail Price\n${rows.join('\n')}\n`));

const sumOfProblems = ({ problems }: FileCheck, fate: string) =>
  problems.filter((problem) => problem.fate === fate).reduce((sum, { count }) => sum + count, 0);

test('the counts of a check and of its import add up to the rows of the file, and the shop learns of those not sent', async () => {
  await fc.assert(
    fc.asyncProperty(file, async (file) => {
      const device = newDevice();
      const tab = device.openTab();
      const check = await checkOf(file, {}, tab);
      const { accepted, replaced, rejected, skipped, rows } = check;
      expect(rowsRead(check)).toBe(rows);
      expect(accepted).toBe(rows - rejected - skipped);
      expect(sumOfProblems(check, 'replaced')).toBe(replaced);
      if (accepted === 0) return;
      const outcome = await tab.send(newPage());
      if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
      expect(outcome.totals.processed + replaced + rejected + skipped).toBe(rows);
      // Only the first part tells the shop which rows were left out.
      expect([...device.shop.parts.values()].map(({ leftOut }) => leftOut)).toEqual([
        { replaced, rejected, skipped },
        ...Array.from({ length: device.shop.parts.size - 1 }, () => undefined),
      ]);
    }),
  );
});

test('a sentence names new, changed and unchanged rows always, and the others where there are any', () => {
  const counts = { added: 45, changed: 0, unchanged: 0, replaced: 83, rejected: 66, skipped: 0 };
  expect(rowCountsWords(counts)).toBe(
    '194 rows read: 45 new, 0 changed, 0 unchanged, 83 replaced, 66 rejected.',
  );
  expect(rowCountsWords({ ...counts, added: 1, replaced: 0, rejected: 0 })).toBe(
    '1 row read: 1 new, 0 changed, 0 unchanged.',
  );
  expect(rowCountsWords({ ...counts, skipped: 6 })).toMatch(/^200 rows.* rejected, 6 skipped\.$/);
});
