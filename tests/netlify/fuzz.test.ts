/** Random malformed and unauthorised requests to every function, with a seed that is printed. */
import { expect, test } from 'vitest';
import { SEED } from '../random.ts';
import { fuzz, fuzzLines } from './fuzz.ts';
import { quickOrFull } from '../full-run.ts';

/** `npm run soak -- fuzz 100000` sends more. */
const REQUESTS = quickOrFull(160, 2000);
/** Each of these answers at least 6 of 1,000 random requests: a full run gets all of them, a quick run may not. */
const RARE_STATUSES = quickOrFull([], [403, 409, 415, 422]);
const MINUTE_MS = 60_000;

test(
  'every malformed or unauthorised request to a function is answered with a sentence and writes nothing',
  async () => {
    console.log(`seed ${SEED}`);
    const result = await fuzz({ seed: SEED, from: 0, count: REQUESTS, step: 1 });
    console.log(fuzzLines(result).join('\n'));
    expect(result.faults).toEqual([]);
    expect(result.requests).toBe(REQUESTS);
    // The requests reach the checks of the functions, and some reach the database.
    const statuses = result.answers.map(([, status]) => status);
    expect(statuses).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, ...RARE_STATUSES]));
  },
  5 * MINUTE_MS,
);
