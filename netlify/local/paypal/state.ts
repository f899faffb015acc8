/** What PayPal would know about this shop. Times are in milliseconds since 1970. */
import type { StoredCheckout } from '../provider/payment.ts';
import type { PaymentEmulatorState } from '../provider/payment-emulator.ts';
import type { PayPalOrderRequest } from './order-request.ts';

/**
 * What the buyer pays with, and so what a capture does.
 *
 * - `good`      the capture is completed
 * - `declined`  it is declined, and the buyer may choose another way
 * - `pending`   it waits, and is completed or denied later
 * - `refused`   the order is completed, and yet its capture is declined
 */
export type Instrument = 'good' | 'declined' | 'pending' | 'refused';

export interface StoredOrder extends StoredCheckout {
  readonly request: PayPalOrderRequest;
  updatedAt: number;
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED';
  instrument: Instrument | null;
  /** The account that gets the money instead of the shop's; set by `changePayee`. */
  payee?: string;
}

/** What the first request with this PayPal-Request-Id made or changed. */
export interface StoredRequest {
  readonly at: number;
  /** The order's id; empty where the instrument was declined. */
  readonly id: string;
  readonly isDeclined: boolean;
}

export interface PayPalState extends PaymentEmulatorState<StoredOrder> {
  readonly requests: Record<string, StoredRequest>;
  /** Access tokens, and when they end. */
  readonly tokens: Record<string, number>;
}
