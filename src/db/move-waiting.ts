import type { WeftDatabase } from './database.ts';
import { readBaseVer } from './shopper-data.ts';
import { forgetWaiting, readWaiting } from './waiting-taps.ts';

/** Moves the taps that a page has left in `localStorage` to the end of the outbox, each once. */
export async function moveWaiting(db: WeftDatabase): Promise<void> {
  if (readWaiting().length === 0) return;
  const moved = await db.transaction('rw', db.meta, db.bases, db.outbox, async () => {
    // Reads again, because another tab may have moved them while this transaction waited.
    const taps = readWaiting();
    const ids = taps.map(({ change }) => change.id);
    const rows = await db.outbox.where('id').anyOf(ids).toArray();
    const storedIds = new Set(rows.map(({ id }) => id));
    for (const { uid, change } of taps) {
      if (storedIds.has(change.id)) continue;
      const baseVer = await readBaseVer(db, uid);
      await db.outbox.add({ uid, id: change.id, change: { ...change, baseVer } });
    }
    return ids;
  });
  forgetWaiting(moved);
}
