import { forgetAllDeferred } from '../ui/deferred-change.ts';

/**
 * Forgets what this tab has stored for itself, such as the order whose payment page it has opened. The
 * next shopper of a shared computer may go on in the same tab.
 */
export function forgetInTab(): void {
  forgetAllDeferred();
  try {
    sessionStorage.clear();
  } catch {
    // A blocked storage holds nothing.
  }
}
