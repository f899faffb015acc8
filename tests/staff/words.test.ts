/** How old a list of orders is, as staff read it. */
import { expect, test } from 'vitest';
import { freshnessWords } from '../../src/staff/words.ts';

const MINUTE = 60_000;

test.each([
  ['just now', 0],
  ['just now', -5 * MINUTE],
  ['1 minute ago', MINUTE],
  ['59 minutes ago', 59 * MINUTE],
  ['2 hours ago', 150 * MINUTE],
])('a stored list says that it was last updated %s', (words, age) => {
  const polled = { value: { at: Date.now() - age }, failure: { kind: 'offline' } } as const;
  expect(freshnessWords(polled)).toContain(`Last updated ${words}.`);
});
