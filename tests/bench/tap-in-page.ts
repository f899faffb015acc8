/** What the tap bench runs in the browser. */
import Dexie, { type Table } from 'dexie';
import { connection } from '../../src/db/connection.ts';
import { enqueueIn } from '../../src/db/outbox.ts';

/** The times of all rounds. */
export interface TapTimes {
  /** Milliseconds from the call until the row is durable. */
  readonly tap: readonly number[];
  /** Milliseconds of Dexie's `add`, until the row is durable. */
  readonly bareAdd: readonly number[];
}

/** The baseline: one store, as durable as the shop's. */
class BareDatabase extends Dexie {
  declare readonly rows: Table<unknown, number>;

  constructor() {
    super('bare', { chromeTransactionDurability: 'strict' });
    this.version(1).stores({ rows: '++seq' });
  }
}

const WARM_UPS = 5;
const UID = '0b8f8a3e-0000-4000-8000-000000000001';

/** Measures taps and bare adds in turns, in the shop's database with a signed-in shopper. */
export async function measureTaps(rounds: number): Promise<TapTimes> {
  await connection.open();
  const { db } = connection;
  await db.meta.put({ key: 'shopper', uid: UID, email: 'a@weft.test', session: 'live' });
  const bare = new BareDatabase();
  await bare.open();
  const newId = () => crypto.randomUUID();
  const tap: number[] = [];
  const bareAdd: number[] = [];
  for (let round = -WARM_UPS; round < rounds; round++) {
    const action = { kind: 'cart.add', args: { productId: round + WARM_UPS, by: 1 } } as const;
    const start = performance.now();
    await enqueueIn(db, UID, [action], newId);
    const tapEnd = performance.now();
    await bare.rows.add({ uid: UID, id: newId(), change: action });
    const end = performance.now();
    if (round < 0) continue;
    tap.push(tapEnd - start);
    bareAdd.push(end - tapEnd);
  }
  bare.close();
  return { tap, bareAdd };
}
