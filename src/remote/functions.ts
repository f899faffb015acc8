import type { Answer } from '../domain/failure.ts';
import { type Fields, fieldsOf } from '../domain/fields.ts';
import { type TokenSource, withToken } from './auth/token-source.ts';
import { request } from './request.ts';

export interface FunctionCall<T> {
  /** The function's name, with its query if it has one. */
  readonly name: string;
  /** Sent as JSON in a POST; without it the request is a GET. */
  readonly body?: object;
  readonly timeoutMs: number;
  /** Null for an answer that is not the function's. */
  readonly parse: (fields: Fields) => T | null;
}

/** Calls one of the shop's functions, on the page's own origin, with the shopper's own token. */
export function callFunction<T>(
  tokens: TokenSource,
  uid: string,
  { name, body, timeoutMs, parse }: FunctionCall<T>,
): Promise<Answer<T>> {
  return withToken(tokens, uid, (token) =>
    request({
      url: `/.netlify/functions/${name}`,
      token,
      body: body && JSON.stringify(body),
      timeoutMs,
      parse: (answer) => parse(fieldsOf(answer)),
    }),
  );
}
