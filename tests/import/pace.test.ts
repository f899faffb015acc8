/** How fast an import goes, and how long it will take. */
import { expect, test } from 'vitest';
import { rateOf, timeLeft } from '../../src/import/pace.ts';
import { firstSendingStep, withWaiting } from '../../src/import/run-state.ts';

test('the rate is the rows that were stored a second, measured anew after a wait for the connection', () => {
  const { pace } = firstSendingStep('spring.csv', 1000);
  expect(rateOf(pace, 0, 5000)).toBe(0);
  expect(rateOf(pace, 8000, 5000)).toBe(2000);
  const progress = { rows: 8000, totalRows: 20_000, bytes: 1, totalBytes: 1 };
  const sending = { ...firstSendingStep('spring.csv', 1000), progress };
  const waiting = withWaiting(sending, 'connection', 6000);
  expect(rateOf(waiting.pace, 8000, 5000), 'while it waits').toBe(2000);
  const resumed = withWaiting(waiting, null, 60_000);
  expect(rateOf(resumed.pace, 8000, 5000)).toBe(0);
  expect(rateOf(resumed.pace, 9000, 62_000)).toBe(500);
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
