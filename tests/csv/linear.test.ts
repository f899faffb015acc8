/** A cell may have a million characters: what runs over it must not take the square of its length. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLayout } from '../../src/csv/layout.ts';
import { RowReader, withRules } from '../../src/csv/reading-rules.ts';
import { DETECT_LAYOUT } from '../../src/csv/remembered.ts';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = globSync('src/{csv,import/worker}/**/*.ts', { cwd: ROOT });
const COMMENT = /\/\*[^]*?\*\/|^\s*\/\/.*$/gm;
const LITERAL =
  /(?<=[(=,:?[\s])\/((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[\n])+)\/[dgimsuvy]*(?=[\s,.;)\]])/g;

const ATOM = String.raw`(?:\\[pP]\{\w+\}|\\.|\[(?:\\.|[^\]\\])*\]|[^\\()[\]|^$*+?])`;
/**
 * Begins anywhere with a repetition, after which something else must come. Where it does not, the engine
 * begins again at each character of what was repeated.
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
  // What is tied to the beginning of a text begins once.
  const isFree = (expression: string) => !expression.startsWith('^');
  const slowOnes = expressions.filter(isFree).filter((each) => BEGINS_WITH_REPETITION.test(each));
  expect(slowOnes).toEqual([]);
  for (const slow of [String.raw`\s*>\s*`, String.raw`"|\r*\n|\r`, String.raw`(?:[ab]+x)`])
    expect(BEGINS_WITH_REPETITION.test(slow), slow).toBe(true);
});

test('a category path with a million spaces in it is split at its marks', () => {
  const spaces = ' '.repeat(1_000_000);
  for (const [headings, row] of [
    ['Type,Regular price,SKU,Categories', (path: string) => ['simple', '1', 'A', path]],
    ['Handle,Variant Price,SKU,Category', (path: string) => ['tee', '1', 'A', path]],
  ] as const) {
    const outcome = readLayout(`${headings}\n`, DETECT_LAYOUT);
    if (outcome.kind !== 'layout') throw new Error(outcome.kind);
    const { layout, rules } = withRules(outcome.layout, []);
    const cells = row(`Men${spaces}x ${spaces}>${spaces}Tees`);
    expect(new RowReader(layout, rules).read(cells)).toBe(true);
    const steps = ['Category 1', 'Category 2'].map((column) =>
      layout.columns.findIndex((each) => each === column),
    );
    expect(steps.map((position) => cells[position])).toEqual([`Men${spaces}x`, 'Tees']);
  }
});

test('a million returns inside quotes are no line ends', () => {
  const text = `SKC,"${'\r'.repeat(1_000_000)}x"\nA,M\n`;
  expect(readLayout(text, DETECT_LAYOUT)).toMatchObject({ layout: { newline: '\n' } });
});
