/** Stripe's webhook signature. Source: docs.stripe.com/webhooks/signature. */
import { createHmac } from 'node:crypto';
import type { Forgery, HookEvent } from '../provider/deliveries.ts';

/** @param now in milliseconds since 1970 */
export function signatureHeaders(event: HookEvent, forgery: Forgery, secret: string, now: number) {
  if (forgery.isUnsigned) return {};
  const seconds = Math.floor((now - (forgery.ageMs ?? 0)) / 1000);
  const signature = createHmac('sha256', forgery.secret ?? secret)
    .update(`${seconds}.${event.body}`)
    .digest('hex');
  return { 'stripe-signature': `t=${seconds},v1=${signature}` };
}
