import type { BrowserContext } from 'playwright-core';

declare global {
  interface Window {
    endTransaction: () => void;
  }
}

/** A tab of the shop that stands still in the middle of a transaction, as the system freezes one. */
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
  await devtools.send('Debugger.enable');
  return {
    async freeze(stores) {
      await page.evaluate(beginTransaction, stores);
      // A page whose life cycle is set to frozen goes on answering its transaction, at full speed.
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
