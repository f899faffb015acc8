/** The part of PayPal's REST API that the shop uses: tokens, orders, captures, events and webhook checks. */
import { drawText } from '../provider/chance.ts';
import type { Call } from '../provider/emulator.ts';
import { rejectBy, Unserved, withFault } from '../provider/faults.ts';
import type { PayPalAccount } from './account.ts';
import { ERROR_NAMES, noSuchResource, PayPalError, unprocessable } from './failure.ts';
import { orderObject, type PayPalOrderRequest, type StoredOrder } from './objects.ts';
import { verifySignature } from './signature.ts';

export async function answerApi(call: Call, paypal: PayPalAccount): Promise<Response> {
  const debugId = drawText(paypal.random, 13, '0123456789abcdef');
  try {
    rejectBy(call.fault);
    return await serve(call, paypal);
  } catch (thrown) {
    const error =
      thrown instanceof Unserved
        ? new PayPalError(thrown.status, ERROR_NAMES[thrown.status], thrown.message)
        : thrown;
    if (!(error instanceof PayPalError)) throw thrown;
    return Response.json(error.body(debugId), { status: error.status });
  }
}

const ORDER_PATH = /^\/v2\/checkout\/orders\/([^/]+)(\/capture)?$/;

async function serve(call: Call, paypal: PayPalAccount): Promise<Response> {
  const route = `${call.method} ${call.path}`;
  const answerWith = (read: () => object) => withFault(call.fault, () => Response.json(read()));
  if (route === 'POST /v1/oauth2/token') {
    return withFault(call.fault, () => issueToken(call, paypal));
  }
  if (!hasToken(call, paypal)) return Response.json({ error: 'invalid_token' }, { status: 401 });
  if (route === 'POST /v2/checkout/orders') {
    // Only the shop's client sends requests here, so the body holds what its types say.
    const request = JSON.parse(call.body) as PayPalOrderRequest;
    return once(call, paypal, () => paypal.create(request));
  }
  if (route === 'GET /v1/notifications/webhooks-events') {
    return answerWith(() => listEvents(call, paypal));
  }
  if (route === 'POST /v1/notifications/verify-webhook-signature') {
    return answerWith(() => verifySignature(call.body, paypal));
  }
  const [, id = '', action] = ORDER_PATH.exec(call.path) ?? [];
  if (call.method === 'POST' && action) return once(call, paypal, () => paypal.capture(id));
  if (call.method === 'GET' && id !== '' && !action) {
    return answerWith(() => orderObject(paypal.find(id)));
  }
  throw noSuchResource();
}

/**
 * Runs `effect` for the first request with a PayPal-Request-Id, and answers 201. A later request with the
 * same id has no effect, whatever its body says: the answer is 200 with the order's present state. If the
 * first request found that the payer's instrument was declined, later ones are declined too, so the shop
 * needs a new id to try again after another approval.
 *
 * Source: developer.paypal.com/api/rest/reference/idempotency, and the description of the parameter in the
 * schema. Neither says whether a decline is remembered; the emulator takes the stricter reading.
 */
async function once(
  { path, headers, fault }: Call,
  paypal: PayPalAccount,
  effect: () => StoredOrder,
) {
  const answer = (order: StoredOrder, status: number) =>
    Response.json(orderObject(order), { status });
  const key = `${path} ${headers.get('paypal-request-id')}`;
  const known = paypal.keys.find(key);
  if (known?.isDeclined) throw unprocessable('INSTRUMENT_DECLINED', 'It was declined before.');
  if (known) return answer(paypal.find(known.id), 200);
  const message = 'A previous request on this resource is currently in progress.';
  const inUse = new PayPalError(409, 'PREVIOUS_REQUEST_IN_PROGRESS', message);
  const at = paypal.now();
  const order = await paypal.keys.run(key, inUse, async (keep) => {
    try {
      return await withFault(fault, () => {
        const done = effect();
        keep({ at, id: done.id, isDeclined: false });
        return done;
      });
    } catch (thrown) {
      const isDeclined = thrown instanceof PayPalError && thrown.issue === 'INSTRUMENT_DECLINED';
      if (isDeclined) keep({ at, id: '', isDeclined });
      throw thrown;
    }
  });
  return answer(order, 201);
}

/** A page of the events, newest first. */
function listEvents({ query }: Call, { webhooks, baseUrl }: PayPalAccount): object {
  const since = Date.parse(query.get('start_time') ?? '');
  const size = Number(query.get('page_size') ?? 10);
  const start = Number(query.get('next_page_token') ?? 0);
  const matching = webhooks.events
    .map(({ body }) => JSON.parse(body) as { readonly create_time: string }) // as `emit` wrote it
    .filter(({ create_time: time }) => Date.parse(time) >= since)
    .toReversed();
  const next = new URLSearchParams(query);
  next.set('next_page_token', String(start + size));
  const href = `${baseUrl}/v1/notifications/webhooks-events?${next.toString()}`;
  const isMore = start + size < matching.length;
  return {
    events: matching.slice(start, start + size),
    links: isMore ? [{ href, rel: 'next', method: 'GET' }] : [],
  };
}

const TOKEN_LIFE_S = 9 * 60 * 60;

/** Source: developer.paypal.com/api/rest/authentication. */
function issueToken({ headers }: Call, paypal: PayPalAccount): Response {
  const { clientId, clientSecret } = paypal;
  if (headers.get('authorization') !== `Basic ${btoa(`${clientId}:${clientSecret}`)}`) {
    return Response.json({ error: 'invalid_client' }, { status: 401 });
  }
  // Looks like a token of PayPal's.
  const token = `A21AA${drawText(paypal.random, 72)}`;
  paypal.tokens.add(token);
  return Response.json({ access_token: token, token_type: 'Bearer', expires_in: TOKEN_LIFE_S });
}

/** Whether a request has a token that was issued here. */
function hasToken({ headers }: Call, { tokens }: PayPalAccount): boolean {
  return tokens.has(/^Bearer (\S+)$/.exec(headers.get('authorization') ?? '')?.[1] ?? '');
}
