/**
 * Answers a request to the API: key, idempotency, endpoint, and Stripe's headers.
 *
 * The first answer to an idempotency key is kept for a day and given again, a 500 too. A request that
 * is rejected for its parameters, or because its key is in use, has not begun, so nothing is kept.
 * Source: docs.stripe.com/api/idempotent_requests and docs.stripe.com/error-low-level.
 */
import type { Call } from '../provider/emulator.ts';
import { rejectBy, Unserved, withFault } from '../provider/faults.ts';
import { beginOf } from './endpoints.ts';
import { StripeError } from './failure.ts';
import type { StoredAnswer } from './state.ts';
import type { StripeAccount } from './account.ts';

type Outcome = Pick<StoredAnswer, 'status' | 'body' | 'requestId'>;

export async function answerApi(call: Call, stripe: StripeAccount): Promise<Response> {
  const requestId = stripe.draw('req_', 14);
  const key = call.method === 'POST' ? call.headers.get('idempotency-key') : null;
  try {
    rejectBy(call.fault);
    if (call.headers.get('authorization') !== `Bearer ${stripe.secretKey}`) {
      throw new StripeError(401, { message: 'Invalid API Key.' });
    }
    if (key === null) return respond(await begin(call, stripe, requestId), requestId);
    const kept = stripe.keys.find(key);
    if (kept) checkSameRequest(kept, call);
    const outcome = kept ?? (await beginOnce(key, call, stripe, requestId));
    return respond(outcome, requestId, {
      'original-request': outcome.requestId,
      ...(kept && { 'idempotent-replayed': 'true' }),
      // The same key would only bring the same answer.
      ...(outcome.status === 500 && { 'stripe-should-retry': 'false' }),
    });
  } catch (thrown) {
    return respond(outcomeOf(thrown, requestId), requestId);
  }
}

function beginOnce(key: string, call: Call, stripe: StripeAccount, requestId: string) {
  const inUse = new StripeError(409, {
    type: 'idempotency_error',
    message: 'Another request with this idempotency key is still in progress.',
    code: 'idempotency_key_in_use',
  });
  return stripe.keys.run(key, inUse, async (keep) => {
    const outcome = await begin(call, stripe, requestId);
    keep({ path: call.path, form: call.body, at: stripe.now(), ...outcome });
    return outcome;
  });
}

/** @throws StripeError when the request does not even begin */
async function begin(call: Call, stripe: StripeAccount, requestId: string): Promise<Outcome> {
  const effect = beginOf(call, stripe);
  try {
    const object = await withFault(call.fault, effect);
    return { status: 200, body: JSON.stringify(object, null, 2), requestId };
  } catch (thrown) {
    return outcomeOf(thrown, requestId);
  }
}

function checkSameRequest(kept: StoredAnswer, { path, body }: Call): void {
  if (kept.path === path && kept.form === body) return;
  const message = `This idempotency key was first used for another request, to ${kept.path}.`;
  throw new StripeError(400, { type: 'idempotency_error', message });
}

function outcomeOf(thrown: unknown, requestId: string): Outcome {
  const isUnserved = thrown instanceof Unserved;
  const error = isUnserved
    ? new StripeError(thrown.status, { type: 'api_error', message: thrown.message })
    : thrown;
  if (!(error instanceof StripeError)) throw thrown;
  return { status: error.status, body: error.body, requestId };
}

function respond({ status, body }: Outcome, requestId: string, headers: object = {}): Response {
  const own = { 'content-type': 'application/json', 'request-id': requestId };
  return new Response(body, { status, headers: { ...own, ...headers } });
}
