/** The server goes back to a backup: what it did since is lost, what providers and phones know is not. */
import type { Chance } from '../kit/chance.ts';
import type { Backup } from './facts.ts';
import type { World } from './world.ts';

/** Connections are cut, a database is loaded, the shop opens again. */
const RESTORE_MS = 2 * 60_000;

export async function backUp(world: World): Promise<void> {
  const { facts, parts } = world;
  parts.verdicts.action('the database is backed up');
  const accounts = structuredClone(world.oracle.accounts);
  facts.backups.push({ atMs: facts.nowMs, copy: await parts.database.copy(), accounts });
}

/** @param lands whether the last call of a function that was running still happens */
export async function restore(world: World, backup: Backup, lands: () => boolean): Promise<void> {
  const { facts, parts, providers } = world;
  for (const going of world.going) await world.kill(going, lands());
  await world.pass(RESTORE_MS, () => false);
  const { orders: before } = world.oracle.seen;
  const seen = await parts.database.goBack(backup.copy, backup.accounts.seen.hasAccount);
  const lost = before.length - seen.orders.length;
  parts.verdicts.action(`the database goes back, ${lost} orders are lost`);
  parts.verdicts.fault('a restore');
  if (JSON.stringify(seen) !== JSON.stringify(backup.accounts.seen)) {
    throw new Error('the restored database is not what was backed up');
  }
  world.oracle.goBack(backup.accounts);
  facts.wentBack = {
    sinceMs: Math.min(facts.wentBack?.sinceMs ?? Infinity, backup.atMs),
    sources: [...providers.stripe.sessions, ...providers.paypal.orders].map(({ id }) => id),
  };
  // A backup of a time that never was is no backup.
  facts.backups = facts.backups.filter(({ atMs }) => atMs <= backup.atMs);
}

/** To any of the backups there are. */
export function restoreAny(world: World, chance: Chance): Promise<void> {
  const backup = chance.pick(world.facts.backups);
  return restore(world, backup, () => chance.happens(0.5));
}
