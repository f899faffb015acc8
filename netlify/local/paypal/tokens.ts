/** Access tokens. Source: developer.paypal.com/api/rest/authentication. */
import type { Random } from '../provider/chance.ts';
import { drawText } from '../provider/chance.ts';
import { PayPalError } from './failure.ts';
import type { PayPalState } from './state.ts';

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

const LIFETIME_S = 9 * 60 * 60;

/** Answers `POST /v1/oauth2/token`. */
export function issueToken(
  authorization: string | null,
  form: string,
  { clientId, clientSecret }: Credentials,
  { tokens }: PayPalState,
  chance: { readonly random: Random; readonly now: number },
): Response {
  const expected = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  if (authorization !== expected) {
    return refuse(401, 'invalid_client', 'Client Authentication failed');
  }
  if (new URLSearchParams(form).get('grant_type') !== 'client_credentials') {
    return refuse(400, 'unsupported_grant_type', 'Only client_credentials are known here');
  }
  const token = `A21AA${drawText(chance.random, 72)}`;
  tokens[token] = chance.now + LIFETIME_S * 1000;
  return Response.json({
    scope: 'https://uri.paypal.com/services/payments/payment',
    access_token: token,
    token_type: 'Bearer',
    app_id: 'APP-80W284485P519543T',
    expires_in: LIFETIME_S,
    nonce: `${new Date(chance.now).toISOString()}${drawText(chance.random, 20)}`,
  });
}

/**
 * The answer to a request without a good token, or undefined when it has one. Those that have ended
 * are forgotten by then.
 *
 * @throws PayPalError 401 when it has none at all
 */
export function refuseToken(
  authorization: string | null,
  { tokens }: PayPalState,
): Response | undefined {
  const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
  if (token === undefined) throw new PayPalError(401);
  return tokens[token] !== undefined
    ? undefined
    : refuse(401, 'invalid_token', 'The token is not known, or it has expired');
}

export function forgetOldTokens({ tokens }: PayPalState, now: number): void {
  for (const [token, end] of Object.entries(tokens)) {
    if (end <= now) delete tokens[token];
  }
}

function refuse(status: number, error: string, description: string): Response {
  return Response.json({ error, error_description: description }, { status });
}
