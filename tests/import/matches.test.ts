/** What a device keeps of the matches of columns that its user has made. */
import { beforeEach, expect, test } from 'vitest';
import { keepMatch, knownMatches } from '../../src/import/matches.ts';
import type { RememberedMatch } from '../../src/csv/remembered.ts';
import { plugInStorage } from '../page-storage.ts';

const KEY = 'weft-import-matches';
let stored: Map<string, string>;
beforeEach(() => {
  stored = plugInStorage('localStorage');
});

const match = (headings: readonly string[], at: number) =>
  ({ headings, columns: { SKC: 0 }, at }) satisfies RememberedMatch;

test('of two matches for the same headings the one that was kept last counts, whatever the clock says', () => {
  keepMatch('ada', match(['a', 'b'], 9));
  keepMatch('ada', match(['c'], 7));
  expect(knownMatches('ada')).toEqual([match(['c'], 7), match(['a', 'b'], 9)]);
  keepMatch('ada', match(['a', 'b'], 5));
  expect(knownMatches('ada')).toEqual([match(['a', 'b'], 5), match(['c'], 7)]);
});

test('one user’s matches are not for another', () => {
  keepMatch('ada', match(['a'], 5));
  expect(knownMatches('eve')).toEqual([]);
  keepMatch('eve', match(['c'], 5));
  expect([knownMatches('ada'), knownMatches('eve')]).toEqual([[], [match(['c'], 5)]]);
});

test('the newest forty are kept', () => {
  for (let at = 0; at < 60; at += 1) keepMatch('ada', match([`h${at}`], at));
  expect(knownMatches('ada').map(({ at }) => at)).toEqual(
    Array.from({ length: 40 }, (_, i) => 59 - i),
  );
});

test('a stored text that is no list of matches, or a blocked storage, gives no match', () => {
  for (const text of ['', '{', '5', '[5, null]', '{"uid":"ada","matches":[5,{"at":1}]}']) {
    stored.set(KEY, text);
    expect(knownMatches('ada'), text).toEqual([]);
  }
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get() {
      throw new DOMException('blocked', 'SecurityError');
    },
  });
  keepMatch('ada', match(['a'], 1));
  expect(knownMatches('ada')).toEqual([]);
});
