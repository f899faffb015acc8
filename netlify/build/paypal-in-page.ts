/** Makes the page use the same PayPal (live or sandbox) as the functions. */
import { NotConfigured, paypalMode, type ReadVariable } from '../lib/env.ts';

/** PayPal's environment, as its SDK names it; empty when PayPal is not configured, so the page offers none. */
export function paypalInPage(read: ReadVariable): 'production' | 'sandbox' | '' {
  try {
    return paypalMode(read) === 'live' ? 'production' : 'sandbox';
  } catch (thrown) {
    if (thrown instanceof NotConfigured) return '';
    throw thrown;
  }
}
