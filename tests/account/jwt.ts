/** Reads access tokens (JSON Web Tokens), and signs changed ones. */
import { createHmac } from 'node:crypto';

interface Claims {
  readonly sub?: string;
  readonly exp?: number;
  readonly session_id?: string;
}

/** The claims of an access token, unchecked. */
export function claimsOf(token: string): Claims {
  const [, claims = ''] = token.split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Claims;
}

/** The same token with other claims, signed as the shop's auth server signs. */
export function signedAgain(token: string, claims: object, secret: string): string {
  const [header = ''] = token.split('.');
  const body = Buffer.from(JSON.stringify({ ...claimsOf(token), ...claims })).toString('base64url');
  const signature = createHmac('sha256', secret).update(`${header}.${body}`).digest('base64url');
  return `${header}.${body}.${signature}`;
}
