import type { WeftDatabase } from './database.ts';
import { forgetWaiting, readWaiting } from './waiting-taps.ts';

/** Moves the taps that a page has left in `localStorage` to the end of the outbox, each once. */
export async function moveWaiting(db: WeftDatabase): Promise<void> {
  if (readWaiting().length === 0) return;
  const moved = await db.transaction('rw', db.outbox, async () => {
    // Reads again, because another tab may have moved them while this transaction waited.
    const taps = readWaiting();
    const ids = taps.map(({ change }) => change.id);
    const rows = await db.outbox.where('id').anyOf(ids).toArray();
    const storedIds = new Set(rows.map(({ id }) => id));
    const missing = taps.filter(({ change }) => !storedIds.has(change.id));
    await db.outbox.bulkAdd(missing.map(({ uid, change }) => ({ uid, id: change.id, change })));
    return ids;
  });
  forgetWaiting(moved);
}
