/**
 * Headers by which a webhook of PayPal's is known to be genuine, and the call that says whether they
 * are. PayPal signs with a certificate; nobody but the emulator checks its signatures, so a secret of
 * its own serves here.
 *
 * PayPal's bodies do not survive being read and written again (slashes are escaped), so a shop must
 * pass on the text that it received. The emulator's are the same in that.
 *
 * Source: developer.paypal.com/api/rest/webhooks/rest and openapi/notifications_webhooks_v1.json.
 */
import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { crc32 } from 'node:zlib';
import type { Forgery, HookEvent } from '../provider/deliveries.ts';
import type { Format, Shape } from '../provider/shape.ts';
import { read } from '../provider/shape.ts';
import { malformed } from './failure.ts';
import { time } from './objects.ts';

const AUTH_ALGO = 'SHA256withRSA';
const CERT_URL = 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594';

interface Transmission {
  readonly id: string;
  readonly time: string;
  readonly webhookId: string;
}

/** As PayPal writes JSON: no spaces, slashes escaped. */
export function writeBody(event: object): string {
  return JSON.stringify(event).replaceAll('/', String.raw`\/`);
}

/** @param now in milliseconds since 1970 */
export function transmissionHeaders(
  event: HookEvent,
  forgery: Forgery,
  transmission: { readonly id: string; readonly webhookId: string; readonly secret: string },
  now: number,
): Readonly<Record<string, string>> {
  if (forgery.isUnsigned) return {};
  const { id, webhookId } = transmission;
  const sentAt = time(now - (forgery.ageMs ?? 0));
  const secret = forgery.secret ?? transmission.secret;
  return {
    'paypal-transmission-id': id,
    'paypal-transmission-time': sentAt,
    'paypal-transmission-sig': sign({ id, time: sentAt, webhookId }, event.body, secret),
    'paypal-cert-url': CERT_URL,
    'paypal-auth-algo': AUTH_ALGO,
  };
}

const WORD: Format = { name: 'word', test: (text) => /^(?!\d+$)\w+\S+/.test(text) };
const VERIFY: Shape = {
  kind: 'record',
  fields: {
    auth_algo: { kind: 'text', max: 100 },
    cert_url: { kind: 'text', max: 500, like: { name: 'url', test: (text) => URL.canParse(text) } },
    transmission_id: { kind: 'text', max: 50, like: WORD },
    transmission_sig: { kind: 'text', max: 500, like: WORD },
    transmission_time: { kind: 'text', max: 100 },
    webhook_id: { kind: 'text', max: 50 },
    webhook_event: { kind: 'object' },
  },
  required: [
    'auth_algo',
    'cert_url',
    'transmission_id',
    'transmission_sig',
    'transmission_time',
    'webhook_id',
    'webhook_event',
  ],
};

interface VerifyRequest {
  readonly auth_algo: string;
  readonly cert_url: string;
  readonly transmission_id: string;
  readonly transmission_sig: string;
  readonly transmission_time: string;
  readonly webhook_id: string;
  readonly webhook_event: unknown;
}

/**
 * Answers `POST /v1/notifications/verify-webhook-signature`.
 *
 * @param text the request as it came, in which the event must stand as it was sent
 * @throws PayPalError 400
 */
export function verify(
  text: string,
  parsed: unknown,
  events: Readonly<Record<string, HookEvent>>,
  secret: string,
): { verification_status: 'SUCCESS' | 'FAILURE' } {
  const { flaws } = read(parsed, VERIFY, 'json');
  if (flaws.length > 0) throw malformed(flaws);
  const request = parsed as VerifyRequest; // it has the shape above
  const { id } = request.webhook_event as { id?: unknown };
  const body = (typeof id === 'string' ? events[id]?.body : undefined) ?? '';
  const transmission = {
    id: request.transmission_id,
    time: request.transmission_time,
    webhookId: request.webhook_id,
  };
  const isGenuine =
    body !== '' &&
    request.auth_algo === AUTH_ALGO &&
    request.cert_url === CERT_URL &&
    request.transmission_sig === sign(transmission, body, secret) &&
    text.includes(body) &&
    isDeepStrictEqual(request.webhook_event, JSON.parse(body));
  return { verification_status: isGenuine ? 'SUCCESS' : 'FAILURE' };
}

function sign({ id, time: sentAt, webhookId }: Transmission, body: string, secret: string): string {
  return createHmac('sha256', secret)
    .update(`${id}|${sentAt}|${webhookId}|${crc32(body)}`)
    .digest('hex');
}
