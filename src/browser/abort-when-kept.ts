/**
 * Aborts the transactions of a page that the browser keeps for its Back button. WebKit neither ends them
 * nor goes on with them (seen in WebKitGTK 2.50), so they lock their stores for every later page. A page that
 * is not kept loses its unfinished transactions as well. A page that is shown again repeats them, as after
 * any failure of the storage.
 *
 * It notes the transactions in the browser's own class: those of Dexie and of the first screen, which does
 * without Dexie, have nothing else in common.
 */
const running = new Set<IDBTransaction>();
/** Undefined where the browser has no IndexedDB. */
const { IDBDatabase: Database } = globalThis as { IDBDatabase?: { readonly prototype: Databases } };

/** A property, where TypeScript's libraries have a method, because it is replaced here. */
interface Databases {
  transaction: (...args: Parameters<IDBDatabase['transaction']>) => IDBTransaction;
}

if (Database) {
  const { transaction } = Database.prototype;
  Database.prototype.transaction = function (...args) {
    const begun = transaction.apply(this, args);
    running.add(begun);
    const end = () => running.delete(begun);
    begun.addEventListener('complete', end);
    begun.addEventListener('abort', end);
    return begun;
  };
}

addEventListener('pagehide', ({ persisted }) => {
  if (!persisted) return;
  for (const each of running) {
    try {
      each.abort();
    } catch {
      // It has just ended, and its event is still to come.
    }
  }
});
