/** Access tokens. Source: developer.paypal.com/api/rest/authentication. */
import { drawText } from '../provider/chance.ts';
import type { Call } from '../provider/emulator.ts';
import type { PayPalAccount } from './account.ts';
import { PayPalError } from './failure.ts';
import type { PayPalState } from './state.ts';

const LIFETIME_S = 9 * 60 * 60;

/** Answers `POST /v1/oauth2/token`. */
export function issueToken({ headers, body }: Call, paypal: PayPalAccount): Response {
  const { clientId, clientSecret } = paypal;
  const expected = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  if (headers.get('authorization') !== expected) {
    return rejection(401, 'invalid_client', 'Client Authentication failed');
  }
  if (new URLSearchParams(body).get('grant_type') !== 'client_credentials') {
    return rejection(400, 'unsupported_grant_type', 'Only client_credentials are known here');
  }
  const token = `A21AA${drawText(paypal.random, 72)}`;
  paypal.state.tokens[token] = paypal.now() + LIFETIME_S * 1000;
  return Response.json({ access_token: token, token_type: 'Bearer', expires_in: LIFETIME_S });
}

/**
 * The answer to a request without a good token, or undefined when it has one. Expired tokens are
 * forgotten by then.
 *
 * @throws PayPalError 401 when it has none at all
 */
export function rejectToken(authorization: string | null, { tokens }: PayPalState) {
  const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
  if (token === undefined) throw new PayPalError(401);
  return tokens[token] === undefined
    ? rejection(401, 'invalid_token', 'The token is not known, or it has expired')
    : undefined;
}

export function forgetOldTokens({ tokens }: PayPalState, now: number): void {
  for (const [token, end] of Object.entries(tokens)) {
    if (end <= now) delete tokens[token];
  }
}

function rejection(status: number, error: string, description: string): Response {
  return Response.json({ error, error_description: description }, { status });
}
