/** Which PayPal the page opens: the one that the functions take money from, or none. */
import { NotConfigured, paypalMode, type ReadVariable } from '../lib/env.ts';

/** In the words of PayPal's SDK; empty where the functions would answer 503. */
export function paypalInPage(read: ReadVariable): 'production' | 'sandbox' | '' {
  try {
    return paypalMode(read) === 'live' ? 'production' : 'sandbox';
  } catch (thrown) {
    if (thrown instanceof NotConfigured) return '';
    throw thrown;
  }
}
