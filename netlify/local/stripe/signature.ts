/** Stripe's webhook signature. Source: docs.stripe.com/webhooks/signature. */
import { createHmac } from 'node:crypto';

/** @param now in milliseconds since 1970 */
export function signatureHeaders(body: string, secret: string, now: number) {
  const seconds = Math.floor(now / 1000);
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return { 'stripe-signature': `t=${seconds},v1=${signature}` };
}
