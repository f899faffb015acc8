import type { Answer, BackendFailure } from '../domain/failure.ts';
import { type Fields, fieldsOf } from '../domain/fields.ts';
import { type TokenSource, withToken } from './auth/token-source.ts';

export interface HttpRequest<T> {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A shopper's access token; without it the request is anonymous. */
  readonly token?: string;
  /** JSON for a POST; without it the request is a GET. */
  readonly body?: string | Blob | undefined;
  readonly signal?: AbortSignal;
  /** The request is aborted after this time: on a bad connection a new request is faster than waiting. */
  readonly timeoutMs: number;
  /** Parses the answer's JSON. Null for an answer that is not the backend's. */
  readonly parse: (body: unknown) => T | null;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** Sends one request to the backend, which answers in JSON. Failures are values (`BackendFailure`). */
export async function request<T>(options: HttpRequest<T>): Promise<Answer<T>> {
  const { url, headers, token, body, signal, timeoutMs, parse } = options;
  const fetch = options.fetch ?? globalThis.fetch;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'content-type': 'application/json',
        ...headers,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body }),
      // A shopper's own answers must not outlive a logout in the browser's cache.
      ...(token === undefined ? {} : { cache: 'no-store' as const }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const answer = await jsonIn(response);
    const value = response.ok && answer !== undefined ? parse(answer) : null;
    if (value !== null) return { ok: true, value };
    return { ok: false, failure: failureOf(response, answer) };
  } catch {
    // No network, interrupted, aborted, or incomplete JSON.
    return { ok: false, failure: { kind: 'offline' } };
  }
}

export interface RestOptions {
  readonly url: string;
  /** The publishable key: it names the project, not a person. */
  readonly key: string;
  readonly fetch?: typeof globalThis.fetch;
}

interface RestRequest<T> extends Pick<HttpRequest<T>, 'token' | 'timeoutMs' | 'parse'> {
  /** The path below `/rest/v1/`. */
  readonly path: string;
  /** Sent as JSON in a POST; without it the request is a GET. */
  readonly body?: object;
  readonly signal: AbortSignal;
}

/** Sends one request to PostgREST. */
export function requestRest<T>(options: RestOptions, given: RestRequest<T>): Promise<Answer<T>> {
  const { path, body, ...common } = given;
  return request({
    ...common,
    url: `${options.url}/rest/v1/${path}`,
    headers: { apikey: options.key },
    body: body && JSON.stringify(body),
    fetch: options.fetch,
  });
}

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

/** The answer's JSON; undefined for anything else, such as a captive portal's page. */
async function jsonIn(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'application/json') return response.json();
  await response.body?.cancel();
  return undefined;
}

function failureOf({ ok, status, headers }: Response, answer: unknown): BackendFailure {
  const isObject = typeof answer === 'object' && answer !== null && !Array.isArray(answer);
  // Not the backend's: a success that `parse` did not accept, or anything but a JSON object.
  if (ok || !isObject) return { kind: 'offline', status };
  const fields = fieldsOf(answer);
  const { code, error, message } = fields;
  const seconds = Number(headers.get('retry-after'));
  return {
    kind: 'rejected',
    status,
    code: textOf(code),
    // The shop's functions name the text `error`, PostgREST names it `message`.
    message: textOf(error) ?? textOf(message),
    ...(seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}),
    fields,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
