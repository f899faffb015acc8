/**
 * Runs in a page before its own scripts, where a browser has no setting for it: makes the page's storage
 * fail as it does when the user blocks all cookies. Read off Firefox 153 with `network.cookie.cookieBehavior`
 * at 2, which forbids the most.
 */
export function blockStorage(): void {
  const refuse = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  const refuseLater = () => Promise.reject(new DOMException('insecure', 'SecurityError'));
  for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(globalThis, name, { get: refuse });
  }
  IDBFactory.prototype.open = refuse;
  CacheStorage.prototype.open = refuseLater;
  ServiceWorkerContainer.prototype.register = refuseLater;
  LockManager.prototype.request = refuseLater;
  globalThis.BroadcastChannel = class extends EventTarget {
    constructor() {
      super();
      refuse();
    }
  } as unknown as typeof BroadcastChannel; // its constructor always throws
}
