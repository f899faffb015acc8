import { randomUUID } from 'node:crypto';
import { WeftDatabase } from '../../src/db/database.ts';

/** A phone's database, under a name of its own. */
export function newDatabase(): WeftDatabase {
  const db = new WeftDatabase();
  // `WeftDatabase` has one name, under which the phones of a test would share it.
  Object.defineProperty(db, 'name', { value: `weft-${randomUUID()}` });
  return db;
}
