/** The page that goes on paying an order. */
export function payHref(orderId: string): string {
  return `/checkout?${new URLSearchParams({ order: orderId }).toString()}`;
}

/** The page that shows how the payment of an order stands. */
export function successHref(orderId: string): string {
  return `/checkout/success?${new URLSearchParams({ order: orderId }).toString()}`;
}
