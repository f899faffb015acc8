/**
 * The part of Stripe's API that the shop uses: key, idempotency, endpoints, and Stripe's headers.
 *
 * The first answer to an idempotency key is kept for a day and given again, a 500 too. A request that
 * is rejected because its key is in use has not begun, so nothing is kept.
 * Source: docs.stripe.com/api/idempotent_requests and docs.stripe.com/error-low-level.
 */
import qs from 'qs';
import type { Call } from '../provider/emulator.ts';
import { rejectBy, Unserved, withFault } from '../provider/faults.ts';
import type { Outcome, StoredAnswer, StripeAccount } from './account.ts';
import { StripeError } from './failure.ts';
import { sessionObject, type SessionParams } from './objects.ts';

export async function answerApi(call: Call, stripe: StripeAccount): Promise<Response> {
  const key = call.method === 'POST' ? call.headers.get('idempotency-key') : null;
  try {
    rejectBy(call.fault);
    if (call.headers.get('authorization') !== `Bearer ${stripe.secretKey}`) {
      throw new StripeError(401, { message: 'Invalid API Key.' });
    }
    if (key === null) return respond(await serve(call, stripe));
    const kept = stripe.keys.find(key);
    if (kept) checkSameRequest(kept, call);
    const outcome = kept ?? (await serveOnce(key, call, stripe));
    return respond(outcome, {
      ...(kept && { 'idempotent-replayed': 'true' }),
      // The same key would only bring the same answer.
      ...(outcome.status === 500 && { 'stripe-should-retry': 'false' }),
    });
  } catch (thrown) {
    return respond(outcomeOf(thrown));
  }
}

function serveOnce(key: string, call: Call, stripe: StripeAccount) {
  const inUse = new StripeError(409, {
    type: 'idempotency_error',
    message: 'Another request with this idempotency key is still in progress.',
    code: 'idempotency_key_in_use',
  });
  return stripe.keys.run(key, inUse, async (keep) => {
    const outcome = await serve(call, stripe);
    keep({ path: call.path, form: call.body, at: stripe.now(), ...outcome });
    return outcome;
  });
}

async function serve(call: Call, stripe: StripeAccount): Promise<Outcome> {
  try {
    const object = await withFault(call.fault, () => objectFor(call, stripe));
    return { status: 200, body: JSON.stringify(object, null, 2) };
  } catch (thrown) {
    return outcomeOf(thrown);
  }
}

function checkSameRequest(kept: StoredAnswer, { path, body }: Call): void {
  if (kept.path === path && kept.form === body) return;
  const message = `This idempotency key was first used for another request, to ${kept.path}.`;
  throw new StripeError(400, { type: 'idempotency_error', message });
}

function outcomeOf(thrown: unknown): Outcome {
  const isUnserved = thrown instanceof Unserved;
  const error = isUnserved
    ? new StripeError(thrown.status, { type: 'api_error', message: thrown.message })
    : thrown;
  if (!(error instanceof StripeError)) throw thrown;
  return { status: error.status, body: error.body };
}

function respond({ status, body }: Outcome, headers: object = {}): Response {
  return new Response(body, {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

const SESSION_PATH = /^\/v1\/checkout\/sessions\/([^/]+)(\/expire)?$/;

/** Carries a request out. Returns the object to answer with. @throws StripeError */
function objectFor({ method, path, query, body }: Call, stripe: StripeAccount): object {
  const route = `${method} ${path}`;
  if (route === 'POST /v1/checkout/sessions') {
    // Only the SDK sends requests here, so the form holds what its types say.
    const params = qs.parse(body, FORM) as unknown as SessionParams;
    return sessionObject(stripe.create(params), stripe.baseUrl);
  }
  if (route === 'GET /v1/checkout/sessions') return { object: 'list', data: [], has_more: false };
  if (route === 'GET /v1/events') return listEvents(query.toString(), stripe);
  const [, id = '', action] = SESSION_PATH.exec(path) ?? [];
  if (method === 'POST' && action) return sessionObject(stripe.expire(id), stripe.baseUrl);
  if (method === 'GET' && id !== '' && !action) {
    const isExpanded = query.has('expand[0]', 'payment_intent');
    return sessionObject(stripe.find(id), stripe.baseUrl, isExpanded);
  }
  throw new StripeError(404, { message: `Unrecognized request URL (${route}).` });
}

/** A form such as `line_items[0][quantity]=2`: a record in a list in a record. */
const FORM = { plainObjects: true, depth: 10, arrayLimit: 1000, parameterLimit: 100_000 };

interface EventQuery {
  readonly limit?: string;
  readonly starting_after?: string;
  readonly types?: readonly string[];
  readonly created?: { readonly gte?: string };
}

/** A page of the events, newest first. */
function listEvents(form: string, { webhooks }: StripeAccount): object {
  const query: EventQuery = qs.parse(form, FORM);
  const { limit = '10', starting_after: after, types, created } = query;
  const all = webhooks.events
    // `emit` has written each body as the JSON of an event, which has these fields.
    .map(({ body }) => JSON.parse(body) as { id: string; type: string; created: number })
    .filter(({ type, created: time }) => {
      return (types?.includes(type) ?? true) && time >= Number(created?.gte ?? 0);
    })
    .toReversed();
  const start = all.findIndex(({ id }) => id === after) + 1;
  const end = start + Number(limit);
  return { object: 'list', data: all.slice(start, end), has_more: end < all.length };
}
