/** Takes the messages that providers send to the shop. Each counts only when its signature is good. */
import Stripe from 'stripe';
import { fieldsOf } from '../../src/domain/fields.ts';
import { HttpError } from './http.ts';
import { eventOfPayPal } from './paypal-order.ts';
import { reversalOfPayPal } from './paypal-reversals.ts';
import type { Ports } from './payments.ts';
import { applyPaymentEvent } from './payments.ts';
import { applyReversal } from './reversals.ts';
import { readEvent } from './stripe.ts';
import { reversalOfStripe } from './stripe-reversals.ts';
import { eventOfStripe } from './stripe-session.ts';

/**
 * @param body as it was sent, byte for byte
 * @throws HttpError 400 for a message that Stripe did not send just now
 * @throws DatabaseUnavailable; Stripe then sends the message again
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
  const sent = await readEvent(stripe, request, ports.now().getTime()).catch((thrown: unknown) => {
    if (!(thrown instanceof Stripe.errors.StripeSignatureVerificationError)) throw thrown;
    throw notGenuine(thrown);
  });
  const event = eventOfStripe(sent);
  if (event !== null) await applyPaymentEvent(ports, event);
  await applyReversal(ports, reversalOfStripe(sent));
}

/** Throws the same errors as `takeStripeWebhook`; `webhookId` names the shop's webhook at PayPal. */
export async function takePayPalWebhook(
  ports: Ports,
  headers: Headers,
  body: string,
  webhookId: string,
): Promise<void> {
  const sent = parseEvent(body);
  const wallet = ports.wallet();
  if (!(await wallet.isGenuine(headers, body, webhookId))) throw notGenuine();
  const event = eventOfPayPal(sent, wallet.mode);
  if (event !== null) await applyPaymentEvent(ports, event);
  await applyReversal(ports, reversalOfPayPal(sent, wallet.mode));
}

function parseEvent(body: string) {
  try {
    return fieldsOf(JSON.parse(body));
  } catch (thrown) {
    throw notGenuine(thrown);
  }
}

function notGenuine(cause?: unknown): HttpError {
  const error = new HttpError(400, 'This message is not genuine.', { code: 'signature' });
  error.cause = cause;
  return error;
}
