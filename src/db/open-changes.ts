import type { WeftDatabase } from './database.ts';
import { readPending } from './shopper-log.ts';

/** What a logout has to name: changes that stay here unsaved, and refusals that it takes away. */
export interface OpenChanges {
  readonly unsaved: number;
  readonly refused: number;
}

export function countOpen(db: WeftDatabase, uid: string): Promise<OpenChanges> {
  return db.transaction('r', db.outbox, db.refused, async () => ({
    unsaved: (await readPending(db, uid)).length,
    refused: await db.refused.where('uid').equals(uid).count(),
  }));
}
