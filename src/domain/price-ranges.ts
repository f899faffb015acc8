/** Ranges of prices that a user can choose, such as `-50`, `50-80` and `80-` (`PRICE_RANGE` in filter.ts). */

/** At most so many; fewer where the prices lie close together. */
const MOST_RANGES = 6;
/** Steps that a price tag would have, in dollars. */
const ROUND = [1, 5, 10, 50, 100, 500, 1000];

/**
 * The prices at which one range ends and the next begins, ascending, in dollars. All ranges hold about the same
 * number of products, as far as round prices allow.
 *
 * @param prices of all products that have one, in any order
 */
export function priceSteps(prices: readonly number[]): readonly number[] {
  const sorted = Float64Array.from(prices).sort();
  const steps = new Set<number>();
  for (let i = 1; i < MOST_RANGES; i++) {
    const price = sorted[Math.floor((i * sorted.length) / MOST_RANGES)] ?? 0;
    // From 6 dollars on, rounding lowers the price by less than a sixth.
    const unit = ROUND.findLast((amount) => amount <= price / 6) ?? 1;
    const step = Math.floor(price / unit) * unit;
    // A step at the lowest price would leave the range below it empty.
    if (step > sorted[0]!) steps.add(step);
  }
  return [...steps];
}

/** The ranges below, between and above these steps. Without steps, when prices lie close together, there is none. */
export function rangesBetween(steps: readonly number[]): readonly string[] {
  return steps.length === 0 ? [] : ['', ...steps].map((from, i) => `${from}-${steps[i] ?? ''}`);
}
