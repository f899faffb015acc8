import { afterAll, expect, test } from 'vitest';
import { fewOf } from '../../share.ts';
import { expectNoViolation, expectSameLog } from '../kit/expectations.ts';
import { exploredLine } from './all-orders.ts';
import { explore } from './explore.ts';
import { FakeDatabase } from './fake-database.ts';
import { loadFunctions } from './functions.ts';
import { ORDERS } from './model.ts';
import { SCENARIOS } from './scenarios.ts';
import { runSchedule } from './schedule.ts';

/** `npm run soak -- orders` runs as many as one likes. */
const SCHEDULES = 60;
const MINUTES = 60_000;

const database = await FakeDatabase.open();
const functions = await loadFunctions();
afterAll(() => database.close());

test(
  'whatever happens between Pay and paid, each payment is on one order, and no order is paid without one',
  async () => {
    const totals = await expectNoViolation(ORDERS, SCHEDULES);
    // So few do not meet every end, and some hardly.
    const ends = { paid: 10, expired: 10, failed: 0, cancelled: 0 };
    for (const [state, count] of Object.entries(ends)) {
      expect(totals.counts.get(`orders ${state}`), state).toBeGreaterThan(count);
    }
  },
  15 * MINUTES,
);

test.each(fewOf(2, SCENARIOS.toReversed()).map((scenario) => [scenario.name, scenario] as const))(
  'everything that can happen, in every order, ends well: %s',
  async (_, scenario) => {
    const explored = await explore(scenario, { database, functions });
    console.log(exploredLine(explored));
    expect(explored.states).toBeGreaterThan(40);
    expect(explored.found).toBeNull();
  },
  5 * MINUTES,
);

test('a schedule goes the same way each time', async () => {
  await expectSameLog((log) => runSchedule(7, { database, functions, log }));
});
