import { forgetAnyDeferred } from '../ui/deferred-change.ts';

/**
 * Deletes what this tab has stored in `sessionStorage`, such as the order whose payment page it has opened: the
 * next shopper of a shared computer may use the same tab.
 */
export function forgetInTab(): void {
  forgetAnyDeferred();
  try {
    sessionStorage.clear();
  } catch {
    // A blocked storage holds nothing.
  }
}
