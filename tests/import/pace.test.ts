/**
 * How fast an import goes, and how long it will take. The arguments, with times in milliseconds:
 * `startPace(now)`, `rateOf(pace, rows, now)` and `timeLeft(rowsLeft, rowsPerSecond)`.
 */
import { expect, test } from 'vitest';
import { pausePace, rateOf, startPace, timeLeft, resumePace } from '../../src/import/pace.ts';

test('the rate is the rows that were stored a second', () => {
  const pace = startPace(1000);
  expect(rateOf(pace, 0, 5000)).toBe(0);
  expect(rateOf(pace, 8000, 5000)).toBe(2000);
});

test('time without a connection does not count for the rate, however often it is reported', () => {
  const paused = pausePace(pausePace(startPace(0), 2000), 3000);
  expect(rateOf(paused, 1000, 9000), 'while it waits').toBe(500);
  const resumed = resumePace(resumePace(paused, 10_000), 11_000);
  expect(rateOf(resumed, 2000, 12_000)).toBe(500);
});

test('the time left is given in words, and is never too short', () => {
  expect(timeLeft(100, 0)).toBe(null);
  expect(timeLeft(5000, 1000)).toBe('a few seconds left');
  expect(timeLeft(30_000, 1000)).toBe('less than a minute left');
  expect(timeLeft(58_000, 1000)).toBe('about a minute left');
  expect(timeLeft(61_000, 1000)).toBe('about 2 minutes left');
  expect(timeLeft(89 * 60_000, 1000)).toBe('about 89 minutes left');
  expect(timeLeft(90 * 60_000, 1000)).toBe('about 2 hours left');
});
