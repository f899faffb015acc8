/** Takes the messages that providers send to the shop. A message changes nothing without a good signature. */
import { fieldsOf } from '../../src/domain/fields.ts';
import { HttpError } from './http.ts';
import { eventOfPayPal } from './paypal-order.ts';
import { reversalOfPayPal } from './paypal-reversals.ts';
import { applyPaymentEvent, type Ports } from './payments.ts';
import { readTransmission } from './paypal-transmission.ts';
import { applyReversal } from './reversals.ts';
import { readEvent } from './stripe.ts';
import { reversalOfStripe } from './stripe-reversals.ts';
import { eventOfStripe } from './stripe-session.ts';

/**
 * Applies what a message of Stripe's says.
 *
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
  // Whatever Stripe's library throws (for a bad or an empty signature, for bad JSON) means the same.
  const sent = await readEvent(stripe, request, ports.now().getTime()).catch((thrown: unknown) => {
    throw notGenuine(thrown);
  });
  const event = eventOfStripe(sent);
  if (event !== null) await applyPaymentEvent(ports, event);
  const reversal = reversalOfStripe(sent);
  if (reversal !== null) await applyReversal(ports, reversal);
}

/**
 * Applies what a message of PayPal's says. Anyone can send one, and only PayPal can check its signature.
 * The server asks PayPal last, because forged messages use up the requests that PayPal allows.
 *
 * Throws the same errors as `takeStripeWebhook`, and ProviderUnavailable when PayPal does not answer.
 *
 * @param webhookId names the shop's webhook at PayPal
 */
export async function takePayPalWebhook(
  ports: Ports,
  headers: Headers,
  body: string,
  webhookId: string,
): Promise<void> {
  const transmission = readTransmission(headers, ports.now().getTime());
  if (transmission === null) throw notGenuine();
  const sent = parseEvent(body);
  const wallet = ports.wallet();
  const event = eventOfPayPal(sent, wallet.mode);
  const reversal = reversalOfPayPal(sent, wallet.mode);
  // A message of another kind changes nothing, so it needs no proof. After a 400 PayPal would repeat it.
  if (event === null && reversal === null) return;
  if (!(await wallet.isGenuine(transmission, body, webhookId))) throw notGenuine();
  if (event !== null) await applyPaymentEvent(ports, event);
  if (reversal !== null) await applyReversal(ports, reversal);
}

function parseEvent(body: string) {
  try {
    const event = fieldsOf(JSON.parse(body));
    if (typeof event['id'] === 'string' && typeof event['event_type'] === 'string') return event;
  } catch (thrown) {
    throw notGenuine(thrown);
  }
  throw notGenuine();
}

function notGenuine(cause?: unknown): HttpError {
  const error = new HttpError(400, 'This message is not genuine.', { code: 'signature' });
  error.cause = cause;
  return error;
}
