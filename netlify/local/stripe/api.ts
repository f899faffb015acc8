/** Answers a request to the API: key, idempotency, endpoint, and Stripe's headers. */
import type { RequestFault } from '../provider/faults.ts';
import { ServerBroke, withFault } from '../provider/faults.ts';
import type { StripeAccount } from './account.ts';
import type { ApiCall } from './endpoints.ts';
import { endpointOf } from './endpoints.ts';
import { StripeError } from './failure.ts';
import type { Outcome } from './idempotency.ts';
import { IdempotencyKeys } from './idempotency.ts';
import { API_VERSION } from './objects.ts';
import type { StripeState } from './state.ts';

export class StripeApi {
  readonly #stripe: StripeAccount;
  readonly #keys: IdempotencyKeys;

  constructor(stripe: StripeAccount, answers: StripeState['answers']) {
    this.#stripe = stripe;
    this.#keys = new IdempotencyKeys(answers);
  }

  /** @param now in milliseconds since 1970 */
  forgetOld(now: number): void {
    this.#keys.forgetOld(now);
  }

  async answer(call: ApiCall, headers: Headers, fault?: RequestFault): Promise<Response> {
    const requestId = this.#stripe.newId('req_', 14);
    const key = call.method === 'POST' ? headers.get('idempotency-key') : null;
    try {
      if (fault?.kind === 'reject') throw overloaded(fault.status);
      this.#checkSecretKey(headers.get('authorization'));
      const begin = () => this.#begin(call, requestId, fault);
      const { status, body, isReplay, ...first } = await this.#keys.run(key, call, begin);
      return respond(status, body, requestId, {
        ...(key === null ? {} : { 'idempotency-key': key, 'original-request': first.requestId }),
        ...(isReplay ? { 'idempotent-replayed': 'true' } : {}),
        // The same key would only bring the same answer.
        ...(status === 500 && key !== null ? { 'stripe-should-retry': 'false' } : {}),
      });
    } catch (thrown) {
      const { status, body } = outcomeOf(thrown, requestId);
      return respond(status, body, requestId);
    }
  }

  async #begin(call: ApiCall, requestId: string, fault?: RequestFault): Promise<Outcome> {
    const effect = endpointOf(call, this.#stripe);
    try {
      const object = await withFault(fault, effect);
      return { status: 200, body: JSON.stringify(object, null, 2), requestId };
    } catch (thrown) {
      return outcomeOf(thrown, requestId);
    }
  }

  #checkSecretKey(authorization: string | null): void {
    if (authorization === `Bearer ${this.#stripe.secretKey}`) return;
    throw new StripeError(401, { type: 'invalid_request_error', message: 'Invalid API Key.' });
  }
}

function outcomeOf(thrown: unknown, requestId: string): Outcome {
  const failure = thrown instanceof ServerBroke ? serverError() : thrown;
  if (!(failure instanceof StripeError)) throw thrown;
  const body = JSON.stringify({ error: failure.error }, null, 2);
  return { status: failure.status, body, requestId };
}

function serverError(): StripeError {
  const message = 'An unknown error occurred on the side of this test emulator.';
  return new StripeError(500, { type: 'api_error', message });
}

function overloaded(status: 429 | 503): StripeError {
  const message = 'Too many requests at once.';
  if (status === 503) return new StripeError(status, { type: 'api_error', message });
  return new StripeError(status, { type: 'invalid_request_error', message, code: 'rate_limit' });
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
