import type { BrowserContext } from 'playwright-core';

declare global {
  interface Window {
    endTransaction: () => void;
  }
}

/** A tab of the shop that the system freezes in the middle of a transaction. */
export interface FrozenTab {
  /** Begins a read-write transaction over these stores, and is frozen in it. */
  freeze(stores: readonly string[]): Promise<void>;
  /** Goes on, and ends the transaction. */
  thaw(): Promise<void>;
  close(): Promise<void>;
}

export async function openFrozenTab(context: BrowserContext, url: string): Promise<FrozenTab> {
  const page = await context.newPage();
  // Of the shop's origin, and without its code.
  await page.goto(`${url}/robots.txt`);
  const devtools = await context.newCDPSession(page);
  const turn = (state: 'active' | 'frozen') =>
    devtools.send('Page.setWebLifecycleState', { state });
  return {
    async freeze(stores) {
      await page.evaluate(beginTransaction, stores);
      await turn('frozen');
    },
    async thaw() {
      await turn('active');
      await page.evaluate(() => window.endTransaction());
    },
    close: () => page.close(),
  };
}

/** In the page. Resolves when the transaction runs, which goes on until `endTransaction`. */
async function beginTransaction(stores: readonly string[]): Promise<void> {
  const db = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open('weft');
    request.onsuccess = () => resolve(request.result);
  });
  const store = db.transaction([...stores], 'readwrite').objectStore(stores[0] ?? '');
  let isOver = false;
  window.endTransaction = () => {
    isOver = true;
  };
  await new Promise<void>((resolve) => {
    const hold = () => {
      if (isOver) {
        db.close();
        return;
      }
      store.get('nothing').onsuccess = () => {
        resolve();
        hold();
      };
    };
    hold();
  });
}
