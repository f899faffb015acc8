/**
 * A cell may have a million characters. If a step took time in proportion to the square of that number, these
 * tests would time out.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RuleApplier, withRules } from '../../src/csv/reading-rules.ts';
import { layoutIn } from './text.ts';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = globSync('src/{csv,import/worker}/**/*.ts', { cwd: ROOT });
const COMMENT = /\/\*[^]*?\*\/|^\s*\/\/.*$/gm;
/** A regular expression in the sources; the group is what stands between its slashes. */
const LITERAL =
  /(?<=[(=,:?[\s])\/((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[\n])+)\/[dgimsuvy]*(?=[\s,.;)\]])/g;

/** What `*` and `+` repeat, groups excepted: `\p{L}`, `\s`, `[a-z]` or a character. */
const ATOM = String.raw`(?:\\[pP]\{\w+\}|\\.|\[(?:\\.|[^\]\\])*\]|[^\\()[\]|^$*+?])`;
/**
 * Matches an expression that begins (or has a branch that begins) with a repetition, after which something
 * else must come. Where the text lacks that, the engine tries again from each repeated character.
 */
const BEGINS_WITH_REPETITION = new RegExp(
  String.raw`(?:^|\|)(?:\((?:\?:)?)*${ATOM}[*+](?!(?:${ATOM}[?*])*\)*(?:\||$))`,
);

test('no regular expression over cells or files begins with a repetition', () => {
  const expressions = SOURCES.flatMap((file) => {
    const code = readFileSync(join(ROOT, file), 'utf8').replace(COMMENT, '');
    return [...code.matchAll(LITERAL)].map(([, expression = '']) => expression);
  });
  expect(expressions.length).toBeGreaterThan(40);
  // The engine tries an expression with `^` at the beginning of the text only.
  const isTriedAnywhere = (expression: string) => !expression.startsWith('^');
  const isSlow = (expression: string) => BEGINS_WITH_REPETITION.test(expression);
  expect(expressions.filter(isTriedAnywhere).filter(isSlow)).toEqual([]);
  for (const slow of [String.raw`\s*>\s*`, String.raw`"|\r*\n|\r`, String.raw`(?:[ab]+x)`])
    expect(isSlow(slow), slow).toBe(true);
});

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
