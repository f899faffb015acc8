import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { catchMutants, mutantLines } from './mutate.ts';

const MINUTES = 60_000;
/** One for each way a change can go wrong; `npm run soak -- mutants` tries them all. */
const NAMES = [
  'dropped when the push answers',
  'no idempotency key',
  'rows are taken in although a change that waits was not asked about',
  'anonymous when there is no token',
];

test(
  'the checker bites: each of some deliberate bugs is caught',
  async () => {
    const caught = await catchMutants({ cores: availableParallelism(), names: NAMES });
    console.log(mutantLines(caught).join('\n'));
    expect(caught).toHaveLength(NAMES.length);
    expect(caught.filter(({ by }) => by === null)).toEqual([]);
  },
  15 * MINUTES,
);
