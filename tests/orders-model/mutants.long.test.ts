import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { catchOrderMutants, orderMutantLines } from './mutate.ts';

const MINUTES = 60_000;
/** One for each way to lose money; `npm run soak -- order-mutants` tries them all. */
const NAMES = [
  'money for a closed order is dropped',
  'the same money counts again when it is told in other words',
  'nobody asks what became of a capture',
  'coming back from the payment page counts as paid',
  'nobody is asked before paying again',
  'after a restore, money for an order that is there counts as known',
];

test(
  'the model bites: each of some deliberate bugs of the checkout is caught',
  async () => {
    const caught = await catchOrderMutants(availableParallelism(), NAMES);
    console.log(orderMutantLines(caught).join('\n'));
    expect(caught).toHaveLength(NAMES.length);
    expect(caught.filter(({ by }) => by === null)).toEqual([]);
  },
  15 * MINUTES,
);
