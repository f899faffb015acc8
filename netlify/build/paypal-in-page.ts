/** Makes the page open the same PayPal that the functions take money from, or none. */
import { NotConfigured, paypalMode, type ReadVariable } from '../lib/env.ts';

/** The environment as PayPal's SDK calls it; empty where the functions would answer 503. */
export function paypalInPage(read: ReadVariable): 'production' | 'sandbox' | '' {
  try {
    return paypalMode(read) === 'live' ? 'production' : 'sandbox';
  } catch (thrown) {
    if (thrown instanceof NotConfigured) return '';
    throw thrown;
  }
}
