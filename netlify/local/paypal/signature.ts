/**
 * Headers that prove that PayPal sent a webhook, and the call that checks them. PayPal signs with a certificate.
 * The emulator signs with a secret, because nobody else checks its signatures.
 *
 * PayPal escapes the slashes in its bodies. A body that is parsed and written again loses the escapes, so a
 * shop must pass on the text that it received. The emulator escapes slashes too.
 *
 * Source: developer.paypal.com/api/rest/webhooks/rest and openapi/notifications_webhooks_v1.json.
 */
import { createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { fieldsOf } from '../../../src/domain/fields.ts';
import type { Deliveries } from '../provider/deliveries.ts';
import { rfc3339 } from './objects.ts';

const AUTH_ALGO = 'SHA256withRSA';
const CERT_URL = 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594';

/** As PayPal writes JSON: no spaces, slashes escaped. */
export function writeBody(event: object): string {
  return JSON.stringify(event).replaceAll('/', String.raw`\/`);
}

/** @param now in milliseconds since 1970 */
export function transmissionHeaders(
  body: string,
  { id, webhookId, secret }: { id: string; webhookId: string; secret: string },
  now: number,
) {
  const time = rfc3339(now);
  return {
    'paypal-transmission-id': id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': sign([id, time, webhookId], body, secret),
    'paypal-cert-url': CERT_URL,
    'paypal-auth-algo': AUTH_ALGO,
  };
}

/**
 * Answers `POST /v1/notifications/verify-webhook-signature`.
 *
 * @param requestText the request as it came, in which the event must stand as it was sent
 */
export function verifySignature(
  requestText: string,
  { webhooks, webhookSecret }: { readonly webhooks: Deliveries; readonly webhookSecret: string },
) {
  const request = fieldsOf(JSON.parse(requestText));
  const { id } = fieldsOf(request['webhook_event']);
  const body = webhooks.events.find((event) => event.id === id)?.body ?? '';
  const signed = [request['transmission_id'], request['transmission_time'], request['webhook_id']];
  const isGenuine =
    body !== '' &&
    request['auth_algo'] === AUTH_ALGO &&
    request['cert_url'] === CERT_URL &&
    request['transmission_sig'] === sign(signed, body, webhookSecret) &&
    // Nothing may follow the signed event: of two fields with one name, JSON takes the last.
    requestText.endsWith(`"webhook_event":${body}}`);
  return { verification_status: isGenuine ? 'SUCCESS' : 'FAILURE' };
}

/** @param transmission id, time and webhook id */
function sign(transmission: readonly unknown[], body: string, secret: string): string {
  const signed = [...transmission, crc32(body)].join('|');
  return createHmac('sha256', secret).update(signed).digest('hex');
}
