/** What PayPal would know about this shop. Plain data, so that it can be kept in a file. */
import type { EmulatorState } from '../provider/emulator.ts';
import type { StoredPayment } from '../provider/payment.ts';
import type { OrderRequest } from './order-request.ts';

/**
 * What the buyer pays with, and so what a capture does.
 *
 * - `good`      the capture is completed
 * - `declined`  it is declined, and the buyer may choose another way
 * - `pending`   it waits, and is completed or denied later
 * - `refused`   the order is completed, and yet its capture is declined
 */
export type Instrument = 'good' | 'declined' | 'pending' | 'refused';

/** Times are in milliseconds since 1970. */
export interface StoredOrder {
  readonly id: string;
  readonly createdAt: number;
  readonly request: OrderRequest;
  updatedAt: number;
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED';
  instrument: Instrument | null;
  capture: StoredCapture | null;
}

export interface StoredCapture extends StoredPayment {
  status: 'COMPLETED' | 'PENDING' | 'DECLINED';
}

/** What the first request with this PayPal-Request-Id made or changed. */
export interface StoredRequest {
  readonly at: number;
  readonly id: string;
  readonly isDeclined: boolean;
}

export interface PayPalState extends EmulatorState {
  readonly orders: Record<string, StoredOrder>;
  readonly requests: Record<string, StoredRequest>;
  /** Access tokens, and when they end. */
  readonly tokens: Record<string, number>;
}
