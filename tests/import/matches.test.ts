/** What a device keeps of the matches of columns that staff have made. */
import { beforeEach, expect, test } from 'vitest';
import { keepMatches, knownMatches, sharedMatches } from '../../src/import/matches.ts';
import type { RememberedMatch } from '../../src/csv/remembered.ts';

const KEY = 'weft-import-matches';
const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  // Node has none; `storage-key.ts` uses these two functions here.
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    value: {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, text: string) => void stored.set(name, text),
    },
  });
});

const match = (headings: readonly string[], at: number, by: string | null = 'ada') =>
  ({ headings, columns: { SKC: 0 }, rulesOff: [], by, at }) satisfies RememberedMatch;

test('of two matches for the same headings the newer holds, whoever made it', () => {
  keepMatches([match(['a', 'b'], 5)]);
  keepMatches([match(['a', 'b'], 9, null), match(['c'], 7)]);
  keepMatches([match(['a', 'b'], 6)]);
  expect(knownMatches()).toEqual([match(['a', 'b'], 9, null), match(['c'], 7)]);
});

test('the newest forty are kept', () => {
  for (let at = 0; at < 60; at += 1) keepMatches([match([`h${at}`], at)]);
  expect(knownMatches().map(({ at }) => at)).toEqual(Array.from({ length: 40 }, (_, i) => 59 - i));
});

test('what somebody else has written there, or a blocked storage, is no match', () => {
  for (const text of ['', '{', '5', '[5, null, {"headings": ["a"]}]', '[{"headings":[],"at":1}]']) {
    stored.set(KEY, text);
    expect(knownMatches(), text).toEqual([]);
  }
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get() {
      throw new DOMException('blocked', 'SecurityError');
    },
  });
  keepMatches([match(['a'], 1)]);
  expect(knownMatches()).toEqual([]);
});

test('the server’s answer says who made a match, and when', () => {
  const answer = { headings: ['a'], columns: { SKC: 0 }, rulesOff: [] };
  const time = '2026-11-20T10:00:00.000Z';
  expect(
    sharedMatches(
      [
        { ...answer, by_me: true, matched_at: time },
        { ...answer, by_me: false, matched_at: time },
        { ...answer, matched_at: 'never' },
        { matched_at: time },
      ],
      'ada',
    ),
  ).toEqual([match(['a'], Date.parse(time)), match(['a'], Date.parse(time), null)]);
});
