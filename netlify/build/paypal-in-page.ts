/** Makes the page use the same PayPal (live or sandbox) as the functions. */
import { NotConfigured, paypalMode, type ReadVariable } from '../lib/env.ts';

/** The environment in the words of PayPal's SDK; empty, for no PayPal, where the functions answer 503. */
export function paypalInPage(read: ReadVariable): 'production' | 'sandbox' | '' {
  try {
    return paypalMode(read) === 'live' ? 'production' : 'sandbox';
  } catch (thrown) {
    if (thrown instanceof NotConfigured) return '';
    throw thrown;
  }
}
