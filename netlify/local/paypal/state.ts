/** What PayPal would know about this shop. Plain data, so that it can be kept in a file. */
import type { EmulatorState } from '../provider/emulator.ts';
import { bare, waitingEvents } from '../provider/emulator.ts';
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

/** By the buttons with which a buyer pays. */
export const INSTRUMENTS: ReadonlyMap<unknown, Instrument> = new Map<unknown, Instrument>([
  ['pay', 'good'],
  ['declined', 'declined'],
  ['pending', 'pending'],
]);

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

export interface StoredCapture {
  readonly id: string;
  readonly createdAt: number;
  updatedAt: number;
  status: 'COMPLETED' | 'PENDING' | 'DECLINED';
  /** Absent while there are none. */
  refunds?: StoredRefund[];
  dispute?: StoredDispute;
}

export interface StoredRefund {
  readonly id: string;
  readonly createdAt: number;
  readonly cents: number;
  /** PayPal-Request-Id. */
  readonly requestId: string | null;
}

export interface StoredDispute {
  readonly id: string;
  readonly createdAt: number;
  readonly cents: number;
  updatedAt: number;
  /** For the shop; null while it is open. */
  outcome: 'won' | 'lost' | null;
}

/** An order whose money was taken. */
export interface Paid {
  readonly order: StoredOrder;
  readonly capture: StoredCapture;
}

/** What the first request with this PayPal-Request-Id did. */
export interface StoredRequest {
  readonly at: number;
  readonly orderId: string;
  readonly isDeclined: boolean;
}

export interface PayPalState extends EmulatorState {
  readonly orders: Record<string, StoredOrder>;
  readonly requests: Record<string, StoredRequest>;
  /** Access tokens, and when they end. */
  readonly tokens: Record<string, number>;
}

/** What was kept, or nothing. */
export function stateFrom(kept?: PayPalState): PayPalState {
  return {
    orders: bare(kept?.orders),
    requests: bare(kept?.requests),
    tokens: bare(kept?.tokens),
    events: waitingEvents(kept),
  };
}
