/** The headers with which PayPal signs a webhook. Source: developer.paypal.com/api/rest/webhooks/rest. */

/** The values of the headers, under the names that PayPal's verification takes. */
export interface Transmission {
  readonly auth_algo: string;
  readonly cert_url: string;
  readonly transmission_id: string;
  readonly transmission_sig: string;
  readonly transmission_time: string;
}

const DAY_MS = 86_400_000;
/**
 * PayPal repeats a message for three days. Its manual does not say whether a repeated message has the time of
 * the first one, so messages of that age are accepted, with a day to spare.
 */
const MAX_AGE_MS = 4 * DAY_MS;
/** How far PayPal's clock may be ahead of ours. */
const MAX_AHEAD_MS = 5 * 60_000;
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Reads the headers of a message. Null where PayPal cannot have sent the message now: a header is missing,
 * the certificate is not PayPal's, or the time is too far in the past or the future.
 *
 * @param nowMs milliseconds since 1970
 */
export function readTransmission(headers: Headers, nowMs: number): Transmission | null {
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
  const ageMs = RFC_3339.test(time) ? nowMs - Date.parse(time) : NaN;
  return ageMs <= MAX_AGE_MS && ageMs >= -MAX_AHEAD_MS;
}
