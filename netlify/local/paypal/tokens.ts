/** Access tokens. Source: developer.paypal.com/api/rest/authentication. */
import { drawText } from '../provider/chance.ts';
import type { Call } from '../provider/emulator.ts';
import type { PayPalAccount } from './account.ts';

const LIFETIME_S = 9 * 60 * 60;

/** Answers `POST /v1/oauth2/token`. */
export function issueToken({ headers, body }: Call, paypal: PayPalAccount): Response {
  const { clientId, clientSecret } = paypal;
  if (headers.get('authorization') !== `Basic ${btoa(`${clientId}:${clientSecret}`)}`) {
    return rejection(401, 'invalid_client');
  }
  if (new URLSearchParams(body).get('grant_type') !== 'client_credentials') {
    return rejection(400, 'unsupported_grant_type');
  }
  // Looks like a token of PayPal's.
  const token = `A21AA${drawText(paypal.random, 72)}`;
  paypal.state.tokens[token] = paypal.now() + LIFETIME_S * 1000;
  return Response.json({ access_token: token, token_type: 'Bearer', expires_in: LIFETIME_S });
}

/** Whether a request has a token that was issued here and has not expired. */
export function hasToken({ headers }: Call, { state, now }: PayPalAccount): boolean {
  const token = /^Bearer (\S+)$/.exec(headers.get('authorization') ?? '')?.[1] ?? '';
  return (state.tokens[token] ?? 0) > now();
}

/** An error answer in the form of OAuth 2.0 (RFC 6749, 5.2). */
export function rejection(status: number, error: string): Response {
  return Response.json({ error }, { status });
}
