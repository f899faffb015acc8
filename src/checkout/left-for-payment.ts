/**
 * Remembers, for this tab, which order it left for a payment page. Whoever comes back to the
 * checkout and not to the success page has not paid there, as far as this tab can tell.
 */
const SLOT = 'left-for-payment';

export function leaveForPayment(orderId: string, url: string): void {
  try {
    sessionStorage.setItem(SLOT, orderId);
  } catch {
    // Blocked: then nothing is said about it on the way back.
  }
  location.assign(url);
}

/** The order that this tab left to pay, once; null when it did not. */
export function takeLeftOrder(): string | null {
  try {
    const orderId = sessionStorage.getItem(SLOT);
    sessionStorage.removeItem(SLOT);
    return orderId;
  } catch {
    return null;
  }
}
