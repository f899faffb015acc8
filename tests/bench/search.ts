import { openBenchPage } from './bench-page.ts';
import { CPU_SLOWDOWN, slowDownCpu } from './built-shop.ts';
import { generateRows } from './products.ts';
import { type Figure, figure, median, ratioOf } from './report.ts';

const PRODUCTS = 100_000;
/** Times the duration of a bare loop. */
const LIMIT = 1.3;
/** An odd number, so that the median is a measured value. */
const ROUNDS = 41;
const WARM_UPS = 10;
const PRODUCTS_OF_A_PHONE = 10_000;
const TYPOS = 9;
/** Until something is offered for a search with a typo, on a slow phone. */
const TYPO_LIMIT_MS = 100;
const MODULE = new URL('./search-in-page.ts', import.meta.url);
type SearchModule = typeof import('./search-in-page.ts');

/** The searches that find something, and those with a typo. */
export async function measureSearch(): Promise<Figure[]> {
  return [...(await measureKeystrokes()), await measureTypos()];
}

/** A keystroke over 100,000 products against a bare loop of `includes` over the same haystacks. */
async function measureKeystrokes(): Promise<Figure[]> {
  await using page = await openBenchPage<SearchModule>(MODULE, generateRows(PRODUCTS));
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

/** From a search that finds nothing to the one that the shopper may have meant, at a quarter of the CPU's speed. */
async function measureTypos(): Promise<Figure> {
  const rows = generateRows(PRODUCTS_OF_A_PHONE);
  await using page = await openBenchPage<SearchModule>(MODULE, rows, slowDownCpu);
  const times = await page.call('measureTypos', TYPOS);
  return figure(
    `a typo among ${PRODUCTS_OF_A_PHONE} products, CPU ${CPU_SLOWDOWN} times slower: median`,
    median(times),
    'ms',
    TYPO_LIMIT_MS,
  );
}
