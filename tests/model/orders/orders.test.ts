import { afterAll, expect, test } from 'vitest';
import { quickOrFull } from '../../full-run.ts';
import { expectNoViolation, expectSameLog } from '../kit/expectations.ts';
import { ORDERS } from './model.ts';
import { openSetup, runSchedule } from './schedule.ts';

/** Few, for speed. `npm run soak -- orders 10000` runs more. */
const SCHEDULES = quickOrFull(40, 120);
const SEED = 7;
const MINUTE_MS = 60_000;

const setup = await openSetup();
afterAll(() => setup.database.close());

test(
  'whatever goes wrong, each payment is on one order, and no order is paid without a payment',
  async () => {
    const totals = await expectNoViolation(ORDERS, SCHEDULES);
    // More than this many orders must end in each state, which shows that the schedules reach it.
    const ends = { paid: 10, expired: 10, failed: 0, cancelled: 0 };
    for (const [state, count] of Object.entries(ends)) {
      expect(totals.counts.get(`orders ${state}`), state).toBeGreaterThan(count);
    }
  },
  15 * MINUTE_MS,
);

test('a schedule of the same seed goes the same way each time', async () => {
  await expectSameLog((log) => runSchedule(SEED, { ...setup, log }));
});
