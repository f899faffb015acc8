/** The shop's own domain for Stripe's payment page, from VITE_STRIPE_CHECKOUT_HOST. */
import type { ReadVariable } from '../lib/env.ts';

export type StripeHost =
  /** `host` is null where payment pages are at Stripe's own address. */
  | { readonly host: string | null; readonly fault: null }
  /** `fault` is a sentence for the person who builds the shop. */
  | { readonly host: null; readonly fault: string };

/**
 * A host name with at least one dot, at most 253 characters in all and 63 between dots. Its last part begins
 * with a letter, which an IP address's does not. Source: RFC 1123, section 2.1.
 */
const HOST =
  /^(?=.{4,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])$/;

/** Reads and validates the setting. */
export function stripeHostIn(read: ReadVariable): StripeHost {
  const host = read('VITE_STRIPE_CHECKOUT_HOST')?.trim().toLowerCase() ?? '';
  if (host === '') return { host: null, fault: null };
  if (HOST.test(host)) return { host, fault: null };
  return {
    host: null,
    fault:
      'VITE_STRIPE_CHECKOUT_HOST must be a host name alone, such as pay.your.shop: ' +
      'without https://, port or path.',
  };
}
