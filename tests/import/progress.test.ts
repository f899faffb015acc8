/** The progress that the worker reports to the page: often enough for a bar, and the last always. */
import { expect, test } from 'vitest';
import { throttleProgress } from '../../src/import/worker/throttle-progress.ts';

/** Sets progress at each of these times, and returns the rows that the page was told: as many as the time's place. */
function toldAt(times: readonly number[]): number[] {
  const told: number[] = [];
  let nowMs = 0;
  const progress = throttleProgress(
    () => nowMs,
    ({ rows }) => told.push(rows),
  );
  for (const [rows, time] of times.entries()) {
    nowMs = time;
    progress.set({ rows, totalRows: null, bytes: 0, totalBytes: 1 });
  }
  progress.finish();
  return told;
}

test('the page is told of the progress ten times a second, and of the last', () => {
  expect(toldAt([0, 50, 100, 150, 199])).toEqual([0, 2, 4]);
});

test('the page is told of the progress also after the clock was set back by an hour', () => {
  expect(toldAt([3_600_000, 0, 50, 100, 150])).toEqual([0, 1, 3, 4]);
});
