import { sessionKey, takeText } from '../../ui/storage-key.ts';

/**
 * Stores, for this tab, the order whose payment page it has opened. A shopper who comes back to the
 * checkout instead of the success page has probably not paid there. In a browser without storage the
 * checkout then says nothing about it.
 */
const key = sessionKey('left-for-payment');

export function leaveForPayment(orderId: string, url: string): void {
  key.write(orderId);
  location.assign(url);
}

/** Returns the order whose payment page this tab has opened, and clears it; null without one. */
export function takeLeftOrder(): string | null {
  return takeText(key);
}
