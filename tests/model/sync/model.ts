/** The model of phones that keep what shoppers do, over a bad line and a server that goes back. */
import type { Model } from '../kit/model.ts';
import { type MutantPlan, readMutants } from '../kit/mutants.ts';
import { PROJECT } from '../kit/project.ts';
import { bundlePage } from './page-bundle.ts';
import { runSchedule, UNWOKEN, WOKEN } from './schedule.ts';
import { Server } from './server.ts';

/** So many schedules meet every fault often enough to be counted on. */
const ENOUGH = 2000;
/** Each kind of fault happens at least once in so many schedules. */
const ONE_IN = 50;

/** Simulated time within which 99 of 100 outboxes must be empty. */
export const LIMITS_MS = { [WOKEN]: 10_000, [UNWOKEN]: 75_000 };

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
    if (totals.schedules < ENOUGH) return [];
    const rare = [...totals.faults].filter(([, count]) => count < totals.schedules / ONE_IN);
    const slow = Object.entries(LIMITS_MS).filter(
      ([name, limitMs]) => totals.percentile(name, 0.99).value > limitMs,
    );
    return [
      ...rare.map(([kind, count]) => `happened only ${count} times: ${kind}`),
      ...slow.map(([name, limitMs]) => `more than one in a hundred above ${limitMs} ms: ${name}`),
    ];
  },
};

export const SYNC_MUTANTS: MutantPlan = {
  model: SYNC,
  mutants: readMutants(import.meta.dirname, ['shopper.patch', 'faults.patch']),
  copied: ['src', 'supabase/migrations'],
  mostSchedules: 2000,
};
