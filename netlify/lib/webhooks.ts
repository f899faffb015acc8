/** Takes the messages that providers send to the shop. A message changes nothing without a good signature. */
import { fieldsOf } from '../../src/domain/fields.ts';
import { HttpError } from './http.ts';
import { applyPaymentEvent } from './payments.ts';
import type { Transmission } from './paypal.ts';
import { eventOfPayPal, reversalOfPayPal } from './paypal-objects.ts';
import { ordersOf, type Ports } from './ports.ts';
import { eventOfStripe, readEvent, reversalOfStripe } from './stripe.ts';

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
  if (reversal !== null) await ordersOf(ports).applyReversal(reversal);
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
  if (reversal !== null) await ordersOf(ports).applyReversal(reversal);
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

const DAY_MS = 86_400_000;
/**
 * PayPal repeats a message for three days. Its manual does not say whether a repeated message has the time of
 * the first one, so messages of that age are accepted, with a day to spare.
 */
const MAX_AGE_MS = 4 * DAY_MS;
/** How far PayPal's clock may be ahead of ours. */
const MAX_AHEAD_MS = 5 * 60_000;

/**
 * Reads the headers with which PayPal signs a message. Null where PayPal cannot have sent the message now: a header
 * is missing, the certificate is not PayPal's, or the time is too far in the past or the future.
 * Source: developer.paypal.com/api/rest/webhooks/rest.
 *
 * @param nowMs milliseconds since 1970
 */
function readTransmission(headers: Headers, nowMs: number): Transmission | null {
  const read = (name: string) => headers.get(`paypal-${name}`) ?? '';
  const transmission = {
    auth_algo: read('auth-algo'),
    cert_url: read('cert-url'),
    transmission_id: read('transmission-id'),
    transmission_sig: read('transmission-sig'),
    transmission_time: read('transmission-time'),
  };
  if (Object.values(transmission).includes('')) return null;
  if (!isPayPals(transmission.cert_url)) return null;
  if (!isRecent(transmission.transmission_time, nowMs)) return null;
  return transmission;
}

function isPayPals(certUrl: string): boolean {
  const url = URL.parse(certUrl);
  return url?.protocol === 'https:' && /(^|\.)paypal\.com$/.test(url.host);
}

function isRecent(time: string, nowMs: number): boolean {
  // An unreadable time gives NaN, for which both comparisons are false.
  const ageMs = nowMs - Date.parse(time);
  return ageMs <= MAX_AGE_MS && ageMs >= -MAX_AHEAD_MS;
}
