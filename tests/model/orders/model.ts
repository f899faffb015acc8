/** The model of everything that can happen between "Pay" and "paid". */
import type { Model } from '../kit/model.ts';
import { type MutantPlan, readMutants } from '../kit/mutants.ts';
import { exploreElsewhere } from './all-orders.ts';
import { FakeDatabase } from './fake-database.ts';
import { loadFunctions } from './functions.ts';
import { runSchedule } from './schedule.ts';

/** So many schedules meet every end of an order. */
const ENOUGH = 500;
const ENDS = ['paid', 'paid_late', 'failed', 'cancelled', 'expired', 'refunded', 'disputed lost'];

export const ORDERS: Model = {
  task: 'orders',
  open: async (project) => {
    const database = await FakeDatabase.open(project);
    const functions = await loadFunctions(project);
    return {
      run: (seed, log) => runSchedule(seed, { database, functions, log }),
      close: () => database.close(),
    };
  },
  shortcomings: ({ schedules, counts }) => {
    const rare = ENDS.filter((state) => (counts.get(`orders ${state}`) ?? 0) <= 10);
    return schedules < ENOUGH ? [] : rare.map((state) => `hardly any order ended ${state}`);
  },
};

export const ORDER_MUTANTS: MutantPlan = {
  model: ORDERS,
  mutants: readMutants(import.meta.dirname, [
    'mutants.patch',
    'paid-once.patch',
    'money-back.patch',
  ]),
  copied: ['src/domain', 'netlify/lib', 'supabase/migrations'],
  mostSchedules: 1500,
  /** The scenario that a mutant notes finds what chance needs too long for. */
  search: async ({ notes: { scenario } }, project) => {
    if (scenario === undefined) return null;
    const { found } = await exploreElsewhere({ scenario, project });
    return found?.violation ?? null;
  },
};
