/** What a device keeps of the matches of columns that staff have made. */
import { expect, test } from 'vitest';
import { shopperStore } from '../../src/db/shopper-store.ts';
import { createHistory } from '../../src/import/history.ts';
import { keepMatch, keepShared, knownMatches, sharedMatches } from '../../src/import/matches.ts';
import type { RememberedMatch } from '../../src/csv/remembered.ts';
import type { ImportsRemote } from '../../src/remote/imports.ts';
import { freshLocalStorage } from '../local-storage.ts';
import { viewOf } from '../shopper-view.ts';

const KEY = 'weft-import-matches';
const NOW = 100;
const stored = freshLocalStorage();
const known = (uid = 'ada') => knownMatches(uid, NOW);

/** A match that was made at this time by this user; null for one of the other staff. */
const match = (headings: readonly string[], at: number, by: string | null = 'ada') =>
  ({ headings, columns: { SKC: 0 }, rulesOff: [], by, at }) satisfies RememberedMatch;

test('of two matches for the same headings the newer holds, whether this user or another made it', () => {
  keepMatch('ada', match(['a', 'b'], 5));
  keepShared('ada', [match(['a', 'b'], 9, null), match(['c'], 7, null)]);
  expect(known()).toEqual([match(['a', 'b'], 9, null), match(['c'], 7, null)]);
  keepMatch('ada', match(['a', 'b'], 12));
  expect(known()).toEqual([match(['a', 'b'], 12), match(['c'], 7, null)]);
});

test('a match that was made while the clock was ahead is replaced by a correction, and by a match of other staff', () => {
  const ahead = NOW + 50;
  keepMatch('ada', match(['a'], ahead));
  expect(known(), 'still better than none').toEqual([match(['a'], ahead)]);
  keepMatch('ada', match(['a'], 6));
  expect(known()).toEqual([match(['a'], 6)]);
  keepMatch('ada', match(['a'], ahead));
  keepShared('ada', [match(['a'], 4, null)]);
  expect(known()).toEqual([match(['a'], 4, null)]);
  // The server's clock is right, though this device's may be behind.
  keepShared('ada', [match(['a'], ahead, null)]);
  expect(known()).toEqual([match(['a'], ahead, null)]);
});

test('one user’s matches are not for another', () => {
  keepMatch('ada', match(['a'], 5));
  keepShared('ada', [match(['b'], 5, null)]);
  expect(known('eve')).toEqual([]);
  keepMatch('eve', match(['c'], 5, 'eve'));
  expect([known('ada'), known('eve')]).toEqual([[], [match(['c'], 5, 'eve')]]);
});

test('what the shop says of all staff’s matches is not kept for a user who has logged out meanwhile', async () => {
  const matches = [{ headings: ['a'], columns: { SKC: 0 }, matched_at: '2026-11-21T10:00Z' }];
  const overview = { requiredRole: null, mayImport: true, last: null, earlier: [], matches };
  const remote = { overview: async () => ({ ok: true, value: overview }) };
  const history = createHistory({
    uid: 'ada',
    remote: remote as unknown as ImportsRemote,
    onChanged: () => undefined,
    onOverview: () => undefined,
  });
  shopperStore.set(null);
  await history.refresh();
  expect(stored.get(KEY)).toBeUndefined();
  shopperStore.set(viewOf('ada'));
  await history.refresh();
  expect(stored.get(KEY)).toContain('"a"');
});

test('the newest forty are kept', () => {
  for (let at = 0; at < 60; at += 1) keepMatch('ada', match([`h${at}`], at));
  expect(known().map(({ at }) => at)).toEqual(Array.from({ length: 40 }, (_, i) => 59 - i));
});

test('a stored text that is no list of matches, or a blocked storage, gives no match', () => {
  for (const text of ['', '{', '5', '[5, null, {"headings": ["a"]}]', '[{"headings":[],"at":1}]']) {
    stored.set(KEY, text);
    expect(known(), text).toEqual([]);
  }
  stored.set(KEY, '{"uid":"ada","own":{},"shared":[5]}');
  expect(known()).toEqual([]);
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get() {
      throw new DOMException('blocked', 'SecurityError');
    },
  });
  keepMatch('ada', match(['a'], 1));
  expect(known()).toEqual([]);
});

test('the server’s answer says who made a match, and when; one without time or headings is left out', () => {
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
