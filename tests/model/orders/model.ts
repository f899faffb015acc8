/** The model of orders and payments: random schedules, and the deliberate bugs that they must find. */
import type { Model } from '../kit/model.ts';
import { type MutantPlan, readMutants } from '../kit/mutants.ts';
import { openSetup, runSchedule } from './schedule.ts';

/** From this many schedules on, more than ten orders must reach each of `ENDS`. */
const ENOUGH_SCHEDULES = 500;
const ENDS = [
  'paid',
  'paid_late',
  'failed',
  'cancelled',
  'expired',
  'refunded',
  'disputed lost',
  'sent',
];

/** Run by `npm run soak -- orders`. */
export const ORDERS: Model = {
  task: 'orders',
  open: async (project) => {
    const setup = await openSetup(project);
    return {
      run: (seed, log) => runSchedule(seed, { ...setup, log }),
      close: () => setup.database.close(),
    };
  },
  shortcomings: ({ schedules, counts }) => {
    if (schedules < ENOUGH_SCHEDULES) return [];
    const rare = ENDS.filter((state) => (counts.get(`orders ${state}`) ?? 0) <= 10);
    return rare.map((state) => `hardly any order ended ${state}`);
  },
};

/** Run by `npm run soak -- order-mutants`. */
export const ORDER_MUTANTS: MutantPlan = {
  model: ORDERS,
  mutants: readMutants(import.meta.dirname, [
    'mutants.patch',
    'paid-once.patch',
    'money-back.patch',
    'sending.patch',
  ]),
  copied: ['src/domain', 'src/csv', 'netlify/lib', 'supabase/migrations'],
  maxSchedules: 1500,
};
