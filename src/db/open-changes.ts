import type { WeftDatabase } from './database.ts';
import { withTimeout } from './open.ts';
import { readPending } from './shopper-log.ts';

/** What a logout has to name: changes that stay here unsaved, and rejections that it takes away. */
export interface OpenChanges {
  readonly unsaved: number;
  readonly rejected: number;
}

/** A frozen tab may hold the storage up: a phone must be left all the same. */
const PATIENCE_MS = 1000;

/** @throws `TimeoutError` when the storage does not answer, and what it fails with */
export function countOpen(db: WeftDatabase, uid: string): Promise<OpenChanges> {
  const counting = db.transaction('r', db.outbox, db.refused, async () => ({
    unsaved: (await readPending(db, uid)).length,
    rejected: await db.refused.where('uid').equals(uid).count(),
  }));
  return withTimeout(counting, PATIENCE_MS);
}
