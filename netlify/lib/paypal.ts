/**
 * PayPal's Orders API, version 2, as far as a shop needs it. Source: developer.paypal.com/docs/api.
 *
 * PayPal's own SDK has no timeout and no webhooks, and cannot be pointed at an emulator.
 */
import { type Fields, fieldsOf, plainText } from '../../src/domain/fields.ts';
import { NotConfigured, type PayPalSettings } from './env.ts';
import type { PaymentAttempt, PlacedOrder } from './orders.ts';
import { orderBody } from './paypal-objects.ts';
import { ProviderUnavailable, type RequestOptions } from './provider.ts';

/** `issue` is PayPal's code for the reason why it rejected the request. */
export type PayPalAnswer =
  | { readonly ok: true; readonly body: Fields }
  | { readonly ok: false; readonly status: number; readonly issue: string };

/** The headers with which PayPal signs a webhook, under the names that its verification takes. */
export interface Transmission {
  readonly auth_algo: string;
  readonly cert_url: string;
  readonly transmission_id: string;
  readonly transmission_sig: string;
  readonly transmission_time: string;
}

export interface PayPalOptions extends Pick<RequestOptions, 'timeoutMs'> {
  readonly fetch?: typeof globalThis.fetch;
  /** In milliseconds since 1970. */
  readonly now?: () => number;
}

export type PayPalClient = ReturnType<typeof openPayPal>;

const TIMEOUT_MS = 15_000;
/** A token is replaced this long before it expires, so that it does not expire on the way. */
const TOKEN_MARGIN_MS = 60_000;

type RequestPayPal = (
  method: 'GET' | 'POST',
  path: string,
  body?: string,
  requestId?: string,
) => Promise<PayPalAnswer>;

/** Returns a function that sends requests for one account and keeps the access token, good for hours. */
function openRequests(
  { apiUrl, clientId, clientSecret }: PayPalSettings,
  { fetch = globalThis.fetch, now = Date.now, timeoutMs = TIMEOUT_MS }: PayPalOptions,
): RequestPayPal {
  let token: { readonly text: string; readonly goodUntilMs: number } | null = null;

  async function send(path: string, init: RequestInit): Promise<{ status: number; body: Fields }> {
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      // A redirect would tell another host the access token.
      const redirect = 'error';
      const response = await fetch(`${apiUrl}${path}`, { ...init, redirect, signal });
      const { status } = response;
      const text = await response.text();
      if (status >= 500 || status === 429 || status === 408) {
        throw new ProviderUnavailable(`PayPal: ${path} answered ${status}`);
      }
      return { status, body: fieldsOf(text === '' ? {} : JSON.parse(text)) };
    } catch (thrown) {
      if (thrown instanceof ProviderUnavailable) throw thrown;
      // No network, a timeout, or an answer that is no JSON. Only the error's name is passed on, because its
      // message may quote the answer.
      const { name } = fieldsOf(thrown);
      throw new ProviderUnavailable(`PayPal: ${path}: ${plainText(name)}`, { cause: thrown });
    }
  }

  async function accessToken(): Promise<string> {
    if (token !== null && token.goodUntilMs > now()) return token.text;
    const { status, body } = await send('/v1/oauth2/token', {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
    const { access_token: text, expires_in: seconds } = body;
    if (status !== 200 || typeof text !== 'string') {
      throw new NotConfigured('PayPal rejected VITE_PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET.');
    }
    token = { text, goodUntilMs: now() + Number(seconds) * 1000 - TOKEN_MARGIN_MS };
    return text;
  }

  return async (method, path, body, requestId) => {
    const sendOnce = async () =>
      send(path, {
        method,
        headers: {
          authorization: `Bearer ${await accessToken()}`,
          'content-type': 'application/json',
          prefer: 'return=representation',
          ...(requestId === undefined ? {} : { 'paypal-request-id': requestId }),
        },
        ...(body === undefined ? {} : { body }),
      });
    let answer = await sendOnce();
    if (answer.status === 401) {
      // PayPal may revoke a token before it expires.
      token = null;
      answer = await sendOnce();
    }
    if (answer.status < 300) return { ok: true, body: answer.body };
    return { ok: false, status: answer.status, issue: issueOf(answer.body) };
  };
}

/** A client for one account. */
export function openPayPal(settings: PayPalSettings, options: PayPalOptions = {}) {
  const request = openRequests(settings, options);
  const pathOf = (id: string) => `/v2/checkout/orders/${encodeURIComponent(id)}`;
  return {
    mode: settings.mode,
    /** The same attempt gives the same order. @throws ProviderUnavailable when PayPal may have made it */
    makeOrder: (order: PlacedOrder, attempt: PaymentAttempt, siteUrl: string) =>
      request(
        'POST',
        '/v2/checkout/orders',
        JSON.stringify(orderBody(order, siteUrl)),
        attempt.key,
      ),
    /** Lists events of the last 30 days, a page at a time; `nextLink` is a link of the page before. */
    listEvents: (query: URLSearchParams, nextLink: string | null) => {
      const firstPage = `/v1/notifications/webhooks-events?${query.toString()}`;
      const url = nextLink === null ? null : URL.parse(nextLink);
      return request('GET', url === null ? firstPage : url.pathname + url.search);
    },
    readOrder: (id: string) => request('GET', pathOf(id)),
    /** Takes the money. @throws ProviderUnavailable when PayPal may or may not have taken it */
    capture: (id: string, requestId: string) =>
      request('POST', `${pathOf(id)}/capture`, '{}', requestId),
    /**
     * Asks PayPal whether it sent this message. The body goes there byte for byte, because it is signed;
     * the server fetches nothing from an address that the message names.
     *
     * @param body valid JSON
     */
    async isGenuine(transmission: Transmission, body: string, webhookId: string) {
      const proof = { ...transmission, webhook_id: webhookId };
      const question = `${JSON.stringify(proof).slice(0, -1)},"webhook_event":${body}}`;
      const path = '/v1/notifications/verify-webhook-signature';
      const answer = await request('POST', path, question);
      return answer.ok && answer.body['verification_status'] === 'SUCCESS';
    },
  };
}

/** PayPal's code for the reason: of the first detail where there is one, else of the whole answer. */
function issueOf(body: Fields): string {
  const details: unknown = body['details'];
  const { issue = body['name'] } = fieldsOf(Array.isArray(details) ? details[0] : undefined);
  return typeof issue === 'string' ? issue : 'UNKNOWN';
}
