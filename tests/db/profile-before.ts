/**
 * A browser profile as the build at commit 9b8f53f leaves it, written without any of today's code:
 * the databases as its Dexie made them, and rows as it stored them.
 */
export const ANNA = '0b8f8a3e-0000-4000-8000-000000000001';
const BERTA = '0b8f8a3e-0000-4000-8000-000000000002';
export const DEVICE = 'd0000000-0000-4000-8000-000000000001';

/** What all changes have in common. */
const common = { schema: 1, madeAt: '2026-11-21T10:00:00.000Z' };

const session = JSON.stringify({
  access_token: 'a.b.c',
  token_type: 'bearer',
  expires_in: 3600,
  expires_at: 1_795_000_000,
  refresh_token: 'v3ry-s3cr3t',
  user: { id: ANNA, email: 'anna@weft.test' },
});

/** The rows of the shop's database by store. */
export const SHOP = {
  chunks: [
    {
      generation: 1_795_000_000_000,
      seq: 0,
      ids: [1, 2],
      rows:
        '[1,"A","M",null,"Linen shirt",null,null,null,48.5,null,null]\n' +
        '[2,"B","",null,"Sock",null,null,null,9,null,null]',
      haystacks: 'a m linen shirt\nb sock',
      categories: ['Linen shirt', 'Sock'],
      // Four for each product: the places of its categories in `categories`, from 1; 0 for none.
      codes: new Uint16Array([1, 0, 0, 0, 2, 0, 0, 0]),
      removed: [],
      sorted: true,
    },
  ],
  meta: [
    {
      key: 'catalogue',
      generation: 1_795_000_000_000,
      nextSeq: 1,
      loadedChunks: 1,
      version: { epoch: '7b0c8d52-0000-4000-8000-000000000001', ver: 12 },
      load: null,
    },
    { key: 'catalogue-attempt', failure: null },
    { key: 'device', id: DEVICE },
    { key: 'save-attempt', uid: ANNA, outcome: 'offline' },
    { key: 'shopper', uid: ANNA, email: 'anna@weft.test', session: 'live' },
  ],
  session: [{ key: 'weft-session', value: session }],
  bases: [
    {
      uid: ANNA,
      ver: 8,
      cart: [{ productId: 1, quantity: 2, priceWhenAdded: 48.5 }],
      favourites: [2],
    },
  ],
  outbox: [
    row(3, ANNA, 'c-3', { kind: 'cart.set', args: { productId: 1, quantity: 5 } }),
    row(4, ANNA, 'c-4', { kind: 'cart.add', args: { productId: 2, by: 1 } }),
    row(5, BERTA, 'c-5', { kind: 'favourite.add', args: { productId: 1 } }),
    row(6, ANNA, 'c-6', { kind: 'favourite.remove', args: { productId: 2 } }),
  ],
  refused: [
    {
      id: 'c-1',
      uid: ANNA,
      change: { ...common, id: 'c-1', kind: 'cart.set', args: { productId: 9, quantity: 2 } },
      message: 'This product has left the shop.',
    },
  ],
  orders: [{ uid: ANNA, orders: [] }],
  drafts: [{ uid: ANNA, fields: { name: 'Anna' } }],
  running: [{ uid: ANNA, orderId: 'o-1', content: '[]', cart: '[]' }],
} as const;

function row(seq: number, uid: string, id: string, action: { kind: string; args: object }) {
  return { seq, uid, id, change: { ...action, ...common, id } };
}

/** Writes the database. IndexedDB has ten times the version that Dexie was given, 3. */
export async function writeProfile(factory: IDBFactory): Promise<void> {
  await write(factory, 'weft', 30, SHOP, (db) => {
    db.createObjectStore('chunks', { keyPath: ['generation', 'seq'] });
    db.createObjectStore('meta', { keyPath: 'key' });
    db.createObjectStore('session', { keyPath: 'key' });
    db.createObjectStore('bases', { keyPath: 'uid' });
    const outbox = db.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true });
    outbox.createIndex('[uid+seq]', ['uid', 'seq']);
    outbox.createIndex('id', 'id');
    db.createObjectStore('refused', { keyPath: 'id' }).createIndex('uid', 'uid');
    for (const name of ['orders', 'drafts', 'running']) {
      db.createObjectStore(name, { keyPath: 'uid' });
    }
  });
}

async function write(
  factory: IDBFactory,
  name: string,
  version: number,
  rows: Readonly<Record<string, readonly object[]>>,
  create: (db: IDBDatabase) => void,
): Promise<void> {
  const opening = factory.open(name, version);
  opening.addEventListener('upgradeneeded', () => create(opening.result));
  await eventOf(opening, 'success');
  const db = opening.result;
  const stores = Object.keys(rows);
  const writing = db.transaction(stores, 'readwrite');
  for (const store of stores) {
    for (const value of rows[store] ?? []) writing.objectStore(store).put(value);
  }
  await eventOf(writing, 'complete');
  db.close();
}

/** All rows of a database by store, read without any of today's code. */
export async function readProfile(
  factory: IDBFactory,
  name: string,
): Promise<{ readonly version: number; readonly rows: Readonly<Record<string, unknown[]>> }> {
  const opening = factory.open(name);
  await eventOf(opening, 'success');
  const db = opening.result;
  const stores = [...db.objectStoreNames];
  const reading = db.transaction(stores);
  const requests = stores.map((store) => [store, reading.objectStore(store).getAll()] as const);
  await eventOf(reading, 'complete');
  const rows = Object.fromEntries(requests.map(([store, { result }]) => [store, result]));
  db.close();
  return { version: db.version, rows };
}

/** Resolves with this event, and rejects with an error. */
function eventOf(target: EventTarget, event: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    target.addEventListener(event, resolve);
    target.addEventListener('error', () => reject(new Error(`no ${event}`)));
  });
}
