import { withTimeout } from '../browser/with-timeout.ts';
import type { Change } from '../domain/change.ts';
import type { DeviceRow, OutboxRow, ShopperRow } from './database.ts';
import { answerOf, openForReading } from './plain-read.ts';
import { SESSION_KEY } from './names.ts';

/** The changes in the outbox of this phone, and the shopper they belong to. */
export interface PendingChanges {
  readonly uid: string;
  readonly device: string;
  /** The session as it is stored. */
  readonly session: string;
  /** In the order they were made; never empty. */
  readonly changes: readonly Change[];
}

/** A tab that is frozen in the middle of a transaction blocks all other transactions, without limit. */
const TIMEOUT_MS = 4000;

/**
 * Reads the outbox in one transaction, for the service worker, which must not load Dexie. Null when the outbox is
 * empty, or without a live session.
 * @throws what `openForReading` throws, and an error when no answer comes in time
 */
export async function readPendingChanges(): Promise<PendingChanges | null> {
  const db = await openForReading();
  if (!db) return null;
  try {
    const reading = db.transaction(['meta', 'session', 'outbox']);
    return await withTimeout(readAll(reading), TIMEOUT_MS);
  } finally {
    db.close();
  }
}

/** The types are those that `database.ts` stores. */
async function readAll(reading: IDBTransaction): Promise<PendingChanges | null> {
  const meta = reading.objectStore('meta');
  const [shopper, device, session, rows] = await Promise.all([
    answerOf<ShopperRow | undefined>(meta.get('shopper')),
    answerOf<DeviceRow | undefined>(meta.get('device')),
    answerOf<{ value: string } | undefined>(reading.objectStore('session').get(SESSION_KEY)),
    answerOf<OutboxRow[]>(reading.objectStore('outbox').getAll()),
  ]);
  if (shopper?.session !== 'live' || !device || !session) return null;
  const { uid } = shopper;
  const changes = rows.filter((row) => row.uid === uid).map(({ change }) => change);
  if (changes.length === 0) return null;
  return { uid, device: device.id, session: session.value, changes };
}
