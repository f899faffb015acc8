/** Reads and changes what the shop stores in a page, above all its IndexedDB, without the shop's code. */
import type { Page } from 'playwright-core';

/** All rows of one store. */
export async function storedRows<T>(page: Page, store: string): Promise<T[]> {
  const rows = await page.evaluate(readAndWrite, { store, rows: null, clearsFirst: false });
  return rows as T[]; // the caller knows what the store holds
}

/** Adds rows to a store, or replaces those with the same key. */
export async function putRows(page: Page, store: string, rows: readonly object[]): Promise<void> {
  await page.evaluate(readAndWrite, { store, rows, clearsFirst: false });
}

/** Deletes all rows of a store. */
async function clearStore(page: Page, store: string): Promise<void> {
  await page.evaluate(readAndWrite, { store, rows: [], clearsFirst: true });
}

interface Task {
  readonly store: string;
  /** The rows to put; null only reads. */
  readonly rows: readonly object[] | null;
  readonly clearsFirst: boolean;
}

/** Runs in the page. Returns the rows as they were before; resolves when the transaction is complete. */
async function readAndWrite({ store: name, rows, clearsFirst }: Task): Promise<unknown[]> {
  /** Waits until the shop has made the database. */
  const open = (): Promise<IDBDatabase> =>
    new Promise((resolve, reject) => {
      const request = indexedDB.open('weft-shop');
      let isMissing = false;
      request.onupgradeneeded = () => {
        isMissing = true;
        request.transaction?.abort();
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => {
        if (isMissing) setTimeout(() => resolve(open()), 50);
        else reject(request.error ?? new Error('the database does not open'));
      };
    });
  const db = await open();
  const transaction = db.transaction(name, rows ? 'readwrite' : 'readonly');
  const store = transaction.objectStore(name);
  const before = store.getAll();
  if (clearsFirst) store.clear();
  for (const row of rows ?? []) store.put(row);
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('the transaction aborts'));
  });
  db.close();
  return before.result as unknown[];
}

/** Sets the expiry date of the stored session to the past. */
export async function expireSession(page: Page): Promise<void> {
  const sessions = await storedRows<{ value: string }>(page, 'session');
  const expired = sessions.map(({ value, ...row }) => ({
    ...row,
    value: JSON.stringify({ ...(JSON.parse(value) as object), expires_at: 1 }),
  }));
  await putRows(page, 'session', expired);
}

/** Ends the stored session, as the page does when the server has rejected it. A page learns of it when it loads. */
export async function endSession(page: Page): Promise<void> {
  await clearStore(page, 'session');
  await putRows(page, 'meta', [{ ...(await storedShopper(page)), session: 'ended' }]);
}

/** The shopper to whom the stored data belongs, as the device remembers them. */
export async function storedShopper(page: Page): Promise<{ readonly uid: string } | undefined> {
  const rows = await storedRows<{ key: string; uid: string }>(page, 'meta');
  return rows.find(({ key }) => key === 'shopper');
}

/** The addresses of the pictures that the service worker has stored, the oldest first. */
export const cachedPictures = (page: Page): Promise<string[]> =>
  page.evaluate(async () => (await (await caches.open('pictures')).keys()).map(({ url }) => url));
