/**
 * Aborts the transactions of a page that the browser keeps for its Back button. WebKit neither ends such
 * transactions nor continues them (seen in WebKitGTK 2.50), so they lock their stores for every later page. The
 * page repeats them when it is shown again, as after any failure of the storage. On a page that is not kept
 * the browser itself aborts unfinished transactions.
 *
 * This wraps the method of the browser's own class, because Dexie and the first screen, which does without
 * Dexie, both call it.
 */
const running = new Set<IDBTransaction>();
/** Undefined where the browser has no IndexedDB. */
const { IDBDatabase: Database } = globalThis as { IDBDatabase?: { readonly prototype: Databases } };

/** Declares `transaction` as a property, not as a method, because it is replaced here. */
interface Databases {
  transaction: (...args: Parameters<IDBDatabase['transaction']>) => IDBTransaction;
}

if (Database) {
  const { transaction } = Database.prototype;
  Database.prototype.transaction = function (...args) {
    const started = transaction.apply(this, args);
    running.add(started);
    const forget = () => running.delete(started);
    started.addEventListener('complete', forget);
    started.addEventListener('abort', forget);
    return started;
  };
}

addEventListener('pagehide', ({ persisted }) => {
  if (!persisted) return;
  for (const transaction of running) {
    try {
      transaction.abort();
    } catch {
      // The transaction has ended, and its event has not been fired yet.
    }
  }
});
