/** Answers a request to the API: key, idempotency, endpoint, and Stripe's headers. */
import type { Random } from '../provider/chance.ts';
import { drawText } from '../provider/chance.ts';
import type { FaultPoint } from '../provider/faults.ts';
import { ServerBroke } from '../provider/faults.ts';
import type { ApiCall } from './endpoints.ts';
import { endpointOf } from './endpoints.ts';
import type { StripeErrorBody } from './failure.ts';
import { StripeError, unauthorized } from './failure.ts';
import type { Outcome } from './idempotency.ts';
import { IdempotencyKeys } from './idempotency.ts';
import { API_VERSION } from './objects.ts';
import type { Sessions } from './sessions.ts';
import type { StripeState } from './state.ts';

export interface StripeApiOptions {
  readonly state: StripeState;
  readonly sessions: Sessions;
  readonly secretKey: string;
  readonly baseUrl: string;
  /** In milliseconds since 1970. */
  readonly now: () => number;
  readonly random: Random;
}

export class StripeApi {
  readonly #options: StripeApiOptions;
  readonly #keys: IdempotencyKeys;

  constructor(options: StripeApiOptions) {
    this.#options = options;
    this.#keys = new IdempotencyKeys(options.state.answers);
  }

  forgetOld(): void {
    this.#keys.forgetOld(this.#options.now());
  }

  async answer(call: ApiCall, headers: Headers, point: FaultPoint): Promise<Response> {
    const { now, random } = this.#options;
    const requestId = `req_${drawText(random, 14)}`;
    const key = call.method === 'POST' ? headers.get('idempotency-key') : null;
    try {
      if (point.refusal !== undefined) throw overloaded(point.refusal);
      this.#checkKey(headers.get('authorization'));
      const { status, body, ...outcome } = await this.#keys.run(
        { key, path: call.path, form: call.form, now: now() },
        () => this.#begin(call, requestId, point),
      );
      return respond(status, body, requestId, {
        ...(key === null ? {} : { 'idempotency-key': key, 'original-request': outcome.requestId }),
        ...(outcome.replayOf === undefined ? {} : { 'idempotent-replayed': 'true' }),
        // The same key would only bring the same answer.
        ...(status === 500 && key !== null ? { 'stripe-should-retry': 'false' } : {}),
      });
    } catch (thrown) {
      if (!(thrown instanceof StripeError)) throw thrown;
      return respond(thrown.status, errorBody(thrown.error), requestId);
    }
  }

  async #begin(call: ApiCall, requestId: string, point: FaultPoint): Promise<Outcome> {
    const effect = endpointOf(call, this.#options.sessions, this.#options.baseUrl);
    try {
      const object = await point.around(effect);
      return { status: 200, body: JSON.stringify(object, null, 2), requestId };
    } catch (thrown) {
      const { status, error } = failureOf(thrown);
      return { status, body: errorBody(error), requestId };
    }
  }

  #checkKey(authorization: string | null): void {
    const key = /^Bearer (.+)$/.exec(authorization ?? '')?.[1];
    if (key === undefined) throw unauthorized('You did not provide an API key.');
    if (key !== this.#options.secretKey) {
      throw unauthorized(`Invalid API Key provided: ${key.slice(0, 8)}****${key.slice(-4)}`);
    }
  }
}

function failureOf(thrown: unknown): { status: number; error: StripeErrorBody } {
  if (thrown instanceof StripeError) return thrown;
  if (!(thrown instanceof ServerBroke)) throw thrown;
  const message = 'An unknown error occurred on the side of this test emulator.';
  return { status: 500, error: { type: 'api_error', message } };
}

function overloaded(status: number): StripeError {
  return new StripeError(status, {
    type: status === 429 ? 'invalid_request_error' : 'api_error',
    message: 'Too many requests at once.',
    ...(status === 429 ? { code: 'rate_limit' } : {}),
  });
}

function errorBody(error: StripeErrorBody): string {
  return JSON.stringify({ error }, null, 2);
}

function respond(
  status: number,
  body: string,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const own = { 'content-type': 'application/json', 'request-id': requestId, ...headers };
  return new Response(body, { status, headers: { ...own, 'stripe-version': API_VERSION } });
}
