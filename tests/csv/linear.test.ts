/**
 * A cell may have a million characters. If a step took time in proportion to the square of that number, these
 * tests would time out.
 */
import { expect, test } from 'vitest';
import { RuleApplier, withRules } from '../../src/csv/reading-rules.ts';
import { layoutIn } from './text.ts';

test('a category path with a million spaces in it is split at its marks', () => {
  const spaces = ' '.repeat(1_000_000);
  // As WooCommerce and Shopify export them.
  for (const [headings, rowWith] of [
    ['Type,Regular price,SKU,Categories', (path: string) => ['simple', '1', 'A', path]],
    ['Handle,Variant Price,SKU,Category', (path: string) => ['tee', '1', 'A', path]],
  ] as const) {
    const { layout, rules } = withRules(layoutIn(`${headings}\n`).layout);
    const cells = rowWith(`Men${spaces}x ${spaces}>${spaces}Tees`);
    expect(new RuleApplier(layout, rules).apply(cells)).toBe(true);
    const steps = (['Category 1', 'Category 2'] as const).map(
      (column) => cells[layout.columns.indexOf(column)],
    );
    expect(steps).toEqual([`Men${spaces}x`, 'Tees']);
  }
});

test('a million carriage returns inside quotes are no line ends', () => {
  const text = `SKC,"${'\r'.repeat(1_000_000)}x"\nA,M\n`;
  expect(layoutIn(text).layout.newline).toBe('\n');
});
