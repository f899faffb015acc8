/** Reads and signs access tokens (JSON Web Tokens). */
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

/** A token with these claims, signed as the shop's auth server signs. */
export function signToken(claims: object, secret: string): string {
  const text = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = createHmac('sha256', secret).update(text).digest('base64url');
  return `${text}.${signature}`;
}
