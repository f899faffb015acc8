/**
 * The model of phones that sync with the server: random schedules with faults of networks, storage, tabs and
 * services, and the deliberate bugs that they must find.
 */
import type { Model } from '../kit/model.ts';
import { type MutantPlan, readMutants } from '../kit/mutants.ts';
import { PROJECT } from '../kit/project.ts';
import { bundlePage } from './page-bundle.ts';
import { runSchedule, WITHOUT_WAKE_UP, AFTER_WAKE_UP } from './schedule.ts';
import { Server } from './server.ts';

/** Fewer schedules are too few to judge how often faults happen and how fast outboxes become empty. */
const ENOUGH_SCHEDULES = 2000;
/** Each kind of fault must happen in one of this many schedules on average. */
const SCHEDULES_PER_FAULT = 50;

/** Simulated time within which 99 of 100 outboxes must be empty. */
export const LIMITS_MS = { [AFTER_WAKE_UP]: 10_000, [WITHOUT_WAKE_UP]: 75_000 };

/** Run by `npm run soak -- sync`. */
export const SYNC: Model = {
  task: 'sync',
  open: async (project = PROJECT) => {
    const server = await Server.open(project);
    const startPage = await bundlePage(project);
    return {
      run: (seed, log) => runSchedule(seed, { server, startPage, log }),
      close: () => server.close(),
    };
  },
  shortcomings: (totals) => {
    if (totals.schedules < ENOUGH_SCHEDULES) return [];
    const rare = [...totals.faults].filter(
      ([, count]) => count < totals.schedules / SCHEDULES_PER_FAULT,
    );
    const slow = Object.entries(LIMITS_MS).filter(
      ([name, limitMs]) => totals.percentile(name, 0.99).value > limitMs,
    );
    return [
      ...rare.map(([kind, count]) => `happened only ${count} times: ${kind}`),
      ...slow.map(([name, limitMs]) => `more than one in a hundred above ${limitMs} ms: ${name}`),
    ];
  },
};

/** Run by `npm run soak -- mutants`. */
export const SYNC_MUTANTS: MutantPlan = {
  model: SYNC,
  mutants: readMutants(import.meta.dirname, [
    'shopper.patch',
    'faults.patch',
    'before-login.patch',
  ]),
  copied: ['src', 'netlify/lib', 'supabase/migrations'],
  maxSchedules: 2000,
};
