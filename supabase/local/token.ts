/** Validates access tokens as Realtime does, with its error messages. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Fields, fieldsOf, parseJson } from '../../src/domain/fields.ts';

interface Claims {
  /** The shopper's id. */
  readonly sub: string | undefined;
  /** Seconds since 1970. */
  readonly exp: number;
}

type Verdict =
  | { readonly ok: true; readonly claims: Claims }
  | { readonly ok: false; readonly reason: string };

/** @param secret the key that signs tokens (HS256) */
export function readToken(token: string, secret: string, nowMs: number): Verdict {
  const rejected = (reason: string): Verdict => ({ ok: false, reason });
  const [header = '', payload = '', signature = '', ...furtherParts] = token.split('.');
  if (partOf(header)['alg'] !== 'HS256' || furtherParts.length > 0) {
    return rejected('MalformedJWT: The token provided is not a valid JWT');
  }
  const expected = createHmac('sha256', secret).update(`${header}.${payload}`).digest();
  const received = Buffer.from(signature, 'base64url');
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) {
    return rejected('JwtSignatureError: Failed to validate JWT signature');
  }
  const { role, sub, exp } = partOf(payload);
  if (typeof role !== 'string' || typeof exp !== 'number') {
    return rejected('InvalidJWTToken: Fields `role` and `exp` are required in JWT');
  }
  const secondsLate = Math.floor(nowMs / 1000 - exp);
  if (secondsLate >= 0)
    return rejected(`InvalidJWTToken: Token has expired ${secondsLate} seconds ago`);
  return { ok: true, claims: { exp, sub: typeof sub === 'string' ? sub : undefined } };
}

/** The session that a token names, without checking who signed it; empty if it names none or is no token. */
export function sessionIdOf(token: string): string {
  const id = partOf(token.split('.')[1] ?? '')['session_id'];
  return typeof id === 'string' ? id : '';
}

/** The fields of a token's header or payload; none if it is not a JSON object in base64url. */
function partOf(part: string): Fields {
  return fieldsOf(parseJson(Buffer.from(part, 'base64url').toString()));
}
