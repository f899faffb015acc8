/**
 * Makes a page's storage fail as it does when the user blocks all cookies, in browsers without that setting.
 * Runs in the page before its own scripts. It does what Firefox 153 does with `network.cookie.cookieBehavior`
 * at 2, the strictest value.
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
