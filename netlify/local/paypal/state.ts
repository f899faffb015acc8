/** What PayPal would know about this shop. Plain data, so that it can be kept in a file. */
import type { HookEvent } from '../provider/deliveries.ts';
import { bare } from '../provider/state-file.ts';
import type { OrderRequest } from './order-request.ts';

/**
 * What the buyer pays with, and so what a capture does.
 *
 * - `good`      the capture is completed
 * - `declined`  it is refused, and the buyer may choose another way
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
  status: 'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED';
  instrument: Instrument | null;
  capture: StoredCapture | null;
}

export interface StoredCapture {
  readonly id: string;
  readonly createdAt: number;
  updatedAt: number;
  status: 'COMPLETED' | 'PENDING' | 'DECLINED';
}

/** What came of the first request with this PayPal-Request-Id. */
export interface StoredRequest {
  readonly at: number;
  readonly orderId: string;
  readonly isDeclined: boolean;
}

export interface PayPalState {
  readonly orders: Record<string, StoredOrder>;
  readonly requests: Record<string, StoredRequest>;
  /** Access tokens, and when they end. */
  readonly tokens: Record<string, number>;
  readonly events: Record<string, HookEvent>;
}

/** What was kept, or nothing. Events that the shop has accepted are of no further use. */
export function stateFrom(kept?: PayPalState): PayPalState {
  const waiting = Object.entries(kept?.events ?? {}).filter(([, event]) => !event.isAccepted);
  return {
    orders: bare(kept?.orders ?? {}),
    requests: bare(kept?.requests ?? {}),
    tokens: bare(kept?.tokens ?? {}),
    events: bare(Object.fromEntries(waiting)),
  };
}
