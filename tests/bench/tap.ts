import { openBenchPage } from './bench-page.ts';
import { type Figure, figure, median, ratioOf } from './report.ts';

const ROUNDS = 60;
/** At most so many times the duration of a bare `add`. */
const LIMIT = 1.5;

/**
 * A tap until it is durable, against a bare Dexie `add` with the same durability, in turns. There is
 * no network here, because a tap never waits for one.
 */
export async function measureTap(): Promise<Figure[]> {
  await using page = await openBenchPage<typeof import('./tap-in-page.ts')>(
    new URL('./tap-in-page.ts', import.meta.url),
  );
  const { tap, bareAdd } = await page.call('measureTaps', ROUNDS);
  console.log(`${ROUNDS} taps in Chromium, median`);
  return [
    figure('tap until durable', median(tap), 'ms'),
    figure('bare add', median(bareAdd), 'ms'),
    figure('tap to bare add', ratioOf(tap, bareAdd), 'times', LIMIT),
  ];
}
