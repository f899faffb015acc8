/** Random malformed and unauthorised requests to every function, with a seed that is printed. */
import { expect, test } from 'vitest';
import { SEED } from '../random.ts';
import { fuzz, fuzzLines } from './fuzz.ts';
import { quickOrFull } from '../full-run.ts';

/** `npm run soak -- fuzz 100000` sends more. */
const REQUESTS = quickOrFull(300, 2000);
/** Each of these comes about six times among a thousand random requests, or more often. */
const RARE = quickOrFull([], [403, 409, 415, 422]);
const MINUTES = 60_000;

test(
  'every malformed or unauthorised request to a function is answered with a sentence and writes nothing',
  async () => {
    console.log(`seed ${SEED}`);
    const fuzzed = await fuzz({ seed: SEED, from: 0, count: REQUESTS, step: 1 });
    console.log(fuzzLines(fuzzed).join('\n'));
    expect(fuzzed.faults).toEqual([]);
    expect(fuzzed.requests).toBe(REQUESTS);
    // The requests reach the checks of the functions, and some reach the database.
    const statuses = fuzzed.answers.map(([, status]) => status);
    expect(statuses).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, ...RARE]));
  },
  5 * MINUTES,
);
