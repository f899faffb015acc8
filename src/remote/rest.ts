import type { Answer } from '../domain/failure.ts';
import { type HttpRequest, request } from './request.ts';

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
  const { path, body, ...rest } = given;
  return request({
    ...rest,
    url: `${options.url}/rest/v1/${path}`,
    headers: { apikey: options.key },
    body: body && JSON.stringify(body),
    fetch: options.fetch,
  });
}
