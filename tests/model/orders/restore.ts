/** Restores the database from a backup. The providers and phones keep what has happened since. */
import type { Chance } from '../kit/chance.ts';
import type { Backup } from './facts.ts';
import type { World } from './world.ts';

/** How long a restore takes, during which the shop is closed. */
const RESTORE_MS = 2 * 60_000;

/** Backs the database up, and the oracle's ledger with it. */
export async function backUp(world: World): Promise<void> {
  const { facts, parts } = world;
  world.verdicts.action('the database is backed up');
  const ledger = structuredClone(world.oracle.ledger);
  facts.backups.push({ atMs: facts.nowMs, copy: await parts.database.copy(), ledger });
}

/**
 * Restores the database from a backup. All running functions die.
 *
 * @param callHappens called for each running function: whether its pending call still takes effect
 */
export async function restore(
  world: World,
  backup: Backup,
  callHappens = () => false,
): Promise<void> {
  const { facts, parts, providers, verdicts } = world;
  for (const active of world.activeJobs) {
    await world.kill(active, { callHappens: callHappens() });
  }
  await world.pass(RESTORE_MS);
  const { orders: before } = world.oracle.rows;
  const rows = await parts.database.restore(backup.copy, backup.ledger.rows.hasAccount);
  const lost = before.length - rows.orders.length;
  verdicts.action(`the database is restored, ${lost} orders are lost`);
  verdicts.fault('a restore');
  if (JSON.stringify(rows) !== JSON.stringify(backup.ledger.rows)) {
    throw new Error('the restored database is not what was backed up');
  }
  world.oracle.restore(backup.ledger);
  facts.restored = {
    sinceMs: Math.min(facts.restored?.sinceMs ?? Infinity, backup.atMs),
    sources: providers.checkouts.map(({ id }) => id),
  };
  // Backups that are newer than the restored state are dropped.
  facts.backups = facts.backups.filter(({ atMs }) => atMs <= backup.atMs);
}

export function restoreAny(world: World, chance: Chance): Promise<void> {
  const backup = chance.pick(world.facts.backups);
  return restore(world, backup, () => chance.happens(0.5));
}
