import { afterAll, expect, test } from 'vitest';
import { expectNoViolation, expectSameLog } from '../kit/expectations.ts';
import { PROJECT } from '../kit/project.ts';
import { clearBacklog } from './backlog.ts';
import { LIMITS_MS, SYNC } from './model.ts';
import { bundlePage } from './page-bundle.ts';
import { runSchedule } from './schedule.ts';
import { Server } from './server.ts';

/** `npm run soak -- sync` runs as many as one likes. */
const SCHEDULES = 30;
const MINUTES = 60_000;

const server = await Server.open();
afterAll(() => server.close());
const startPage = await bundlePage(PROJECT);

test(
  'whatever happens to phones, tabs and the network, no change is lost, doubled or misplaced',
  async () => {
    const totals = await expectNoViolation(SYNC, SCHEDULES);
    for (const [name, limitMs] of Object.entries(LIMITS_MS)) {
      expect(totals.percentile(name, 0.99).value, name).toBeLessThan(limitMs);
    }
  },
  15 * MINUTES,
);

test('a schedule goes the same way each time', async () => {
  await expectSameLog((log) => runSchedule(7, { server, startPage, log }));
});

test('a schedule goes the same way beside code that sets its timer anew each time', async () => {
  const alone: string[] = [];
  await runSchedule(7, { server, startPage, log: (line) => alone.push(line) });
  let timer: NodeJS.Timeout;
  const setAnew = () => {
    Math.random();
    timer = setTimeout(setAnew, 1);
  };
  setAnew();
  const beside: string[] = [];
  await runSchedule(7, { server, startPage, log: (line) => beside.push(line) }).finally(() =>
    clearTimeout(timer),
  );
  expect(beside).toEqual(alone);
});

// As many as the server takes of one shopper in a minute.
test('600 changes made offline reach the server in twelve pushes and one pull', async () => {
  const { pushes, pulls, emptyMs, violations } = await clearBacklog(600, { server, startPage });
  console.log(`600 changes: ${pushes} pushes, ${pulls} pulls, ${Math.round(emptyMs)} ms`);
  expect({ pushes, pulls, violations }).toEqual({ pushes: 12, pulls: 1, violations: [] });
});

test('a thousand changes made offline reach the server once, 600 in a minute', async () => {
  const { pushes, pulls, emptyMs, violations } = await clearBacklog(1000, { server, startPage });
  console.log(`1,000 changes: ${pushes} pushes, ${pulls} pulls, ${Math.round(emptyMs)} ms`);
  expect(violations).toEqual([]);
  // Twenty are needed; the rest meet the limit and back off.
  expect(pushes).toBeGreaterThanOrEqual(20);
  expect(pushes + pulls).toBeLessThanOrEqual(60);
});
