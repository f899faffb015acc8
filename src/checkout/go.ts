/** Leaving for a payment page, and coming back from one. */

/** Stripe's hosted payment page. Source: Stripe manual, "Checkout", `url` of a session. */
const STRIPE_HOST = 'checkout.stripe.com';
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a shopper may be sent to this address with a card in hand: Stripe's own, or on this very
 * machine the emulator's.
 */
export function isPaymentPage(address: string, isEmbedded: boolean): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host, hostname, username, password } = new URL(address);
  if (username !== '' || password !== '') return false;
  if (protocol === 'https:' && host === STRIPE_HOST) return true;
  return isEmbedded && protocol === 'http:' && LOOPBACK.has(hostname);
}

/** Where it is said what became of an order. */
export function successHref(orderId: string): string {
  return `/checkout/success?${new URLSearchParams({ order: orderId }).toString()}`;
}
