import type { BrowserContext } from 'playwright-core';

declare global {
  interface Window {
    /** Ends the transaction that `beginTransaction` keeps open. */
    endTransaction: () => void;
  }
}

/** A tab that is paused in the middle of a transaction, as an operating system freezes tabs. */
export interface FrozenTab {
  /** Begins a read-write transaction over these stores, and pauses the tab in it. */
  freeze(stores: readonly string[]): Promise<void>;
  /** Resumes the tab, and ends the transaction. */
  thaw(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a tab of the shop's origin, not paused yet. */
export async function openFrozenTab(context: BrowserContext, url: string): Promise<FrozenTab> {
  const page = await context.newPage();
  // A page of the shop's origin that does not run the shop's code.
  await page.goto(`${url}/robots.txt`);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Debugger.enable');
  return {
    async freeze(stores) {
      await page.evaluate(beginTransaction, stores);
      // By the debugger, because a tab in Chromium's life cycle state "frozen" goes on with its transaction.
      const paused = new Promise((resolve) => {
        devtools.once('Debugger.paused', resolve);
      });
      await devtools.send('Debugger.pause');
      await paused;
    },
    async thaw() {
      await devtools.send('Runtime.evaluate', { expression: 'endTransaction()' });
      await devtools.send('Debugger.resume');
    },
    close: () => page.close(),
  };
}

/** Runs in the page. Resolves when the transaction has begun; `endTransaction` ends it. */
async function beginTransaction(stores: readonly string[]): Promise<void> {
  const db = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open('weft-shop');
    request.onsuccess = () => resolve(request.result);
  });
  const store = db.transaction([...stores], 'readwrite').objectStore(stores[0] ?? '');
  let isOver = false;
  window.endTransaction = () => {
    isOver = true;
  };
  await new Promise<void>((resolve) => {
    const keepOpen = () => {
      if (isOver) {
        db.close();
        return;
      }
      store.get('nothing').onsuccess = () => {
        resolve();
        keepOpen();
      };
    };
    keepOpen();
  });
}
