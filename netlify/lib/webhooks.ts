/** What providers tell the shop by themselves. Whoever sends it, it counts only when it is genuine. */
import Stripe from 'stripe';
import { fieldsOf } from '../../src/domain/fields.ts';
import { Refusal } from './http.ts';
import { newsOfPayPalEvent } from './paypal-order.ts';
import type { Ports } from './payments.ts';
import { takeNews } from './payments.ts';
import { readEvent } from './stripe.ts';
import { newsOfEvent } from './stripe-session.ts';

/**
 * @param body as it was sent, byte for byte
 * @throws Refusal 400 for a message that Stripe did not send just now
 * @throws DatabaseAway; Stripe then sends it again
 */
export async function takeStripeWebhook(
  ports: Ports,
  headers: Headers,
  body: string,
  secret: string,
): Promise<void> {
  const { stripe } = ports.cards();
  const signature = headers.get('stripe-signature') ?? '';
  const request = { body, signature, secret };
  const event = await readEvent(stripe, request, ports.now().getTime()).catch((thrown: unknown) => {
    if (!(thrown instanceof Stripe.errors.StripeSignatureVerificationError)) throw thrown;
    throw notGenuine(thrown);
  });
  const news = newsOfEvent(event);
  if (news !== null) await takeNews(ports, news);
}

/** Failures as those of `takeStripeWebhook`. */
export async function takePayPalWebhook(
  ports: Ports,
  headers: Headers,
  body: string,
  webhookId: string,
): Promise<void> {
  const event = parseEvent(body);
  const wallet = ports.wallet();
  if (!(await wallet.isGenuine(headers, body, webhookId))) throw notGenuine();
  const news = newsOfPayPalEvent(event, wallet.mode);
  if (news !== null) await takeNews(ports, news);
}

function parseEvent(body: string) {
  try {
    return fieldsOf(JSON.parse(body));
  } catch (thrown) {
    throw notGenuine(thrown);
  }
}

function notGenuine(cause?: unknown): Refusal {
  const refusal = new Refusal(400, 'This message is not genuine.', { code: 'signature' });
  refusal.cause = cause;
  return refusal;
}
