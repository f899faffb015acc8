import { openBenchPage } from './bench-page.ts';
import { generateRows } from './products.ts';
import { type Figure, figure, median, ratioOf } from './report.ts';

const PRODUCTS = 100_000;
/** Times the duration of a bare loop. */
const LIMIT = 1.3;
/** An odd number, so that the median is a measured value. */
const ROUNDS = 41;
const WARM_UPS = 10;

/** A keystroke over 100,000 products against a bare loop of `includes` over the same haystacks. */
export async function measureSearch(): Promise<Figure[]> {
  await using page = await openBenchPage<typeof import('./search-in-page.ts')>(
    new URL('./search-in-page.ts', import.meta.url),
    generateRows(PRODUCTS),
  );
  const cases = await page.call('measure', ROUNDS, WARM_UPS);
  console.log(`${PRODUCTS} products in Chromium, median of ${ROUNDS} rounds`);
  return cases.flatMap(({ name, words, resultCount, indexMs, loopMs }) => [
    figure(`${name}: found`, resultCount, 'products'),
    figure(`${name}: keystroke`, median(indexMs), 'ms'),
    figure(`${name}: bare loop`, median(loopMs), 'ms'),
    figure(
      `${name}: keystroke to bare loop`,
      ratioOf(indexMs, loopMs),
      'times',
      // A blank search only copies numbers, in half a millisecond, so a ratio says nothing.
      words === 0 ? null : LIMIT,
    ),
  ]);
}
