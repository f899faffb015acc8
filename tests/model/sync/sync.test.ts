import { afterAll, expect, test } from 'vitest';
import { quickOrFull } from '../../full-run.ts';
import { expectNoViolation, expectSameLog } from '../kit/expectations.ts';
import { PROJECT } from '../kit/project.ts';
import { idleHour } from './idle.ts';
import { LIMITS_MS, SYNC } from './model.ts';
import { bundlePage } from './page-bundle.ts';
import { runSchedule } from './schedule.ts';
import { Server } from './server.ts';

/** Few, for speed. `npm run soak -- sync 20000` runs more. */
const SCHEDULES = quickOrFull(8, 60);
const SEED = 7;
const MINUTE_MS = 60_000;

const server = await Server.open();
afterAll(() => server.close());
const startPage = await bundlePage(PROJECT);

test(
  'whatever happens to phones, tabs and the network, no change is lost, doubled, late or sent for another shopper',
  async () => {
    const totals = await expectNoViolation(SYNC, SCHEDULES);
    for (const [name, limitMs] of Object.entries(LIMITS_MS)) {
      expect(totals.percentile(name, 0.99).value, name).toBeLessThan(limitMs);
    }
  },
  15 * MINUTE_MS,
);

test('a schedule of the same seed goes the same way each time', async () => {
  await expectSameLog((log) => runSchedule(SEED, { server, startPage, log }));
});

// Columns: the tab, its realtime, whether it is hidden, the most requests in the hour, and the most milliseconds until
// the change of another client arrives (null: only once the shopper is back).
test.each([
  ['a visible tab that realtime tells of changes', 'good', false, 8, 2000],
  ['a visible tab whose realtime stays silent', 'silent', false, 8, 10 * MINUTE_MS],
  ['a visible tab that cannot join', 'failing', false, 62, MINUTE_MS + 2000],
  ['a hidden tab', 'silent', true, 0, null],
] as const)(
  '%s asks seldom in an hour in which its shopper does nothing, and hears of a change in time',
  async (_, realtime, isHidden, mostRequests, mostMs) => {
    const idle = await idleHour({ realtime, isHidden }, { server, startPage });
    console.log(JSON.stringify(idle));
    expect(idle.violations).toEqual([]);
    expect(idle.requests).toBeLessThanOrEqual(mostRequests);
    if (mostMs === null) expect(idle.arrivedMs).toBeNull();
    else expect(idle.arrivedMs).toBeLessThanOrEqual(mostMs);
    expect(idle.afterWakeUpMs).toBeLessThanOrEqual(2000);
  },
);
