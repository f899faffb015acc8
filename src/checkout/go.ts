/** Stripe's hosted payment page. Source: Stripe manual, "Checkout", `url` of a session. */
const STRIPE_HOST = 'checkout.stripe.com';
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether the shop may send a shopper to this address to pay by card: Stripe's page under Stripe's or
 * the shop's own name, or the emulator's on this machine.
 *
 * @param ownHost the shop's custom domain at Stripe; empty where it has none
 * @param isEmbedded whether the build is for one machine (`IS_EMBEDDED`)
 */
export function isPaymentPage(address: string, ownHost: string, isEmbedded: boolean): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host, hostname, username, password } = new URL(address);
  if (username !== '' || password !== '') return false;
  if (protocol === 'https:' && (host === STRIPE_HOST || host === ownHost)) return true;
  return isEmbedded && protocol === 'http:' && LOOPBACK.has(hostname);
}

/** The page that goes on paying an order. */
export function payHref(orderId: string): string {
  return `/checkout?${new URLSearchParams({ order: orderId }).toString()}`;
}

/** The page that shows how the payment of an order stands. */
export function successHref(orderId: string): string {
  return `/checkout/success?${new URLSearchParams({ order: orderId }).toString()}`;
}
