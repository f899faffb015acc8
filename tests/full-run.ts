/**
 * Whether this run is `npm run test:all`. Long tests run in full there: thousands of schedules, requests or variants of
 * one journey. `npm test` runs a small fixed share of them.
 */
const IS_FULL_RUN = process.env['WEFT_TESTS'] === 'all';

/** Variants of one journey: the first few in `npm test`, all in `npm run test:all`. */
export function fewOf<T>(count: number, variants: readonly T[]): readonly T[] {
  return quickOrFull(variants.slice(0, count), variants);
}

/** How much of a long test to run: `quick` in `npm test`, `full` in `npm run test:all`. */
export function quickOrFull<T>(quick: T, full: T): T {
  return IS_FULL_RUN ? full : quick;
}
