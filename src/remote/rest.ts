import type { Answer, BackendFailure } from '../domain/failure.ts';

export interface RestOptions {
  readonly url: string;
  /** The publishable key: it names the project, not a person. */
  readonly key: string;
  readonly fetch?: typeof globalThis.fetch;
}

export interface RestRequest<T> {
  /** Below `/rest/v1/`. */
  readonly path: string;
  /** Posted as JSON; without it the request is a GET. */
  readonly body?: unknown;
  /** A shopper's access token; without it the request is anonymous. */
  readonly token?: string;
  readonly signal: AbortSignal;
  /** Given up after this long: on a bad line another attempt does better. */
  readonly timeoutMs: number;
  /** Null for an answer that is not ours, such as a captive portal's page. */
  readonly parse: (body: unknown) => T | null;
}

/** One request to PostgREST. All failures are values; see `BackendFailure`. */
export async function ask<T>(options: RestOptions, request: RestRequest<T>): Promise<Answer<T>> {
  const { path, body, token, signal, timeoutMs, parse } = request;
  const fetch = options.fetch ?? globalThis.fetch;
  try {
    const response = await fetch(`${options.url}/rest/v1/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        apikey: options.key,
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const answer: unknown = await response.json();
    const value = response.ok ? parse(answer) : null;
    if (value !== null) return { ok: true, value };
    const refusal = response.ok ? null : rejectionOf(response.status, answer);
    return { ok: false, failure: refusal ?? { kind: 'offline' } };
  } catch {
    // No network, cut off, given up, or a page of somebody else's that is not JSON.
    return { ok: false, failure: { kind: 'offline' } };
  }
}

/** PostgREST's error body, or null for an answer that is not its. */
function rejectionOf(status: number, body: unknown): BackendFailure | null {
  if (typeof body !== 'object' || body === null) return null;
  const { code, message } = body as Readonly<Record<string, unknown>>; // any object may be read by name
  if (typeof message !== 'string') return null;
  // The gateway in front of PostgREST refuses tokens without a code of its own.
  if (typeof code !== 'string')
    return status === 401 ? { kind: 'refused', code: '401', message } : null;
  return { kind: 'refused', code, message };
}
