/** The upkeep of each night: forgets what nobody needs any more. It may be interrupted anywhere. */
import type { Ports } from './ports.ts';
import { openSteps } from './scheduled-steps.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** When no further slice is begun: Netlify ends a scheduled function after 30 seconds. The next run goes on. */
const MAX_RUN_MS = 20_000;

/** @returns how many steps have failed */
export async function keepUp(ports: Ports): Promise<number> {
  const steps = openSteps(ports, 'upkeep');
  const began = ports.now().getTime();
  const daysAgo = (days: number) => new Date(began - days * DAY_MS).toISOString();

  /** Repeats a SQL function until nothing is left: each call takes few rows, so that none holds locks for long. */
  async function prune(name: string, p_before: string | null): Promise<void> {
    while (ports.now().getTime() - began < MAX_RUN_MS) {
      if (Number(await ports.call(name, { p_before })) === 0) return;
    }
  }

  // Tombstones that no phone asks for, orders that were never paid, keys of imports that were given up.
  await steps.run('products', () => prune('prune_product_deletions', daysAgo(90)));
  await steps.run('unpaid orders', () => prune('prune_unpaid_orders', daysAgo(30)));
  await steps.run('imports', () => prune('prune_import_keys', daysAgo(7)));
  await steps.run('messages', () => prune('prune_messages', daysAgo(90)));
  // Null: only orders that were never paid.
  await steps.run('orders of deleted accounts', () => prune('erase_due', null));
  await steps.run('paid orders of deleted accounts', async () => {
    // Throws where the setting is malformed: then no paid order is erased.
    const days = ports.retentionDays();
    if (days !== null) await prune('erase_due', daysAgo(days));
  });
  await steps.run('categories', () => ports.call('prune_category_names', {}));
  // Changes that no phone can send again. There may be more than one night can delete, so they come last.
  await steps.run('changes', () => prune('prune_applied_changes', daysAgo(0)));
  return steps.failed();
}
