import { afterAll, expect, test } from 'vitest';
import { fewOf, quickOrFull } from '../../full-run.ts';
import { expectNoViolation, expectSameLog } from '../kit/expectations.ts';
import { exploredLine } from './all-orders.ts';
import { explore } from './explore.ts';
import { ORDERS } from './model.ts';
import { SCENARIOS } from './scenarios.ts';
import { openSetup, runSchedule } from './schedule.ts';

/** Few, for speed. `npm run soak -- orders 10000` runs more. */
const SCHEDULES = quickOrFull(40, 120);
/** An exploration with no more states than this has not explored its scenario. */
const TOO_FEW_STATES = 40;
const SEED = 7;
const MINUTE_MS = 60_000;

const setup = await openSetup();
afterAll(() => setup.database.close());

test(
  'whatever goes wrong, each payment is on one order, and no order is paid without a payment',
  async () => {
    const totals = await expectNoViolation(ORDERS, SCHEDULES);
    // Each of these states is the last of more orders than its number: the schedules reach it.
    const ends = { paid: 10, expired: 10, failed: 0, cancelled: 0 };
    for (const [state, count] of Object.entries(ends)) {
      expect(totals.counts.get(`orders ${state}`), state).toBeGreaterThan(count);
    }
  },
  15 * MINUTE_MS,
);

// `npm test` explores the last scenario only, which has a restore.
test.each(fewOf(1, SCENARIOS.toReversed()).map((scenario) => [scenario.name, scenario] as const))(
  'no payment is lost or doubled in whichever order things happen: %s',
  async (_, scenario) => {
    const explored = await explore(scenario, setup);
    console.log(exploredLine(explored));
    expect(explored.states).toBeGreaterThan(TOO_FEW_STATES);
    expect(explored.failure).toBeNull();
  },
  5 * MINUTE_MS,
);

test('a schedule of the same seed goes the same way each time', async () => {
  await expectSameLog((log) => runSchedule(SEED, { ...setup, log }));
});
