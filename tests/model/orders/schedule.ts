/** Runs one schedule: random actions or those of `written.ts`, then a random end. The world checks the invariants at each step. */
import { Chance } from '../kit/chance.ts';
import type { Outcome } from '../kit/totals.ts';
import { ModelDatabase } from './model-database.ts';
import { doRandomAction } from './actions.ts';
import { type Functions, loadFunctions } from './functions.ts';
import { endAtRandom } from './settle.ts';
import { addToCart } from './shopper.ts';
import { OrderVerdicts } from './verdicts.ts';
import { World } from './world.ts';
import { WRITTEN } from './written.ts';

/** What schedules run with; one setup serves many schedules. */
export interface Setup {
  readonly database: ModelDatabase;
  readonly functions: Functions;
  /** Takes a readable account of everything that happens. */
  readonly log?: ((line: string) => void) | undefined;
}

/**
 * Opens the database and the functions; the caller closes the database.
 *
 * @param project a copy of the project with a bug in it; the project itself when absent
 */
export async function openSetup(project?: string): Promise<Setup> {
  return { database: await ModelDatabase.open(project), functions: await loadFunctions(project) };
}

/** The stream of draws (`Chance`) of these schedules. Another number changes what every seed does. */
const STREAM = 11;

/** @throws when the model itself, and not the shop, does something wrong */
export async function runSchedule(
  seed: number,
  { database, functions, log }: Setup,
): Promise<Outcome> {
  const chance = new Chance(seed, STREAM);
  const verdicts = new OrderVerdicts(log);
  const parts = { database, functions, verdicts };
  await database.begin();
  try {
    const world = new World(parts, chance.pick([[0, 0], [0, 0, 1], [0], [0, 1]]));
    const profile = {
      faultiness: chance.pick([0, 0.03, 0.1, 0.25]),
      haste: chance.pick([0.2, 0.6, 0.9]),
      hasWebhooks: chance.happens(0.7),
    };
    for (const product of database.products.slice(0, chance.between(1, 3))) {
      await addToCart(world, product, chance.between(1, 3));
    }
    const written = WRITTEN[seed];
    const count = written ? 0 : chance.between(12, 40);
    await written?.(world);
    for (let i = 0; i < count && !world.isBroken; i += 1) {
      await doRandomAction({ world, chance, profile });
    }
    if (!world.isBroken) await endAtRandom(world, chance);
  } finally {
    await database.rollBack();
  }
  const { counts, faults, violations } = verdicts;
  return { seed, counts: [...counts], faults: [...faults], measures: [], violations };
}
