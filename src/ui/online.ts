import { useStore } from './use-store.ts';

/** Whether the browser believes that it has a network. It may be wrong, so no action is disabled. */
export function useOnline(): boolean {
  return useStore(ONLINE);
}

const ONLINE = {
  snapshot: () => navigator.onLine,
  subscribe(listener: () => void) {
    window.addEventListener('online', listener);
    window.addEventListener('offline', listener);
    return () => {
      window.removeEventListener('online', listener);
      window.removeEventListener('offline', listener);
    };
  },
};
