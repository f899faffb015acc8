/** The part of PayPal's REST API that the shop uses: tokens, orders, captures, webhook checks. */
import { drawText } from '../provider/chance.ts';
import type { Call } from '../provider/emulator.ts';
import { rejectBy, Unserved, withFault } from '../provider/faults.ts';
import { noSuchResource, PayPalError, unprocessable } from './failure.ts';
import { listEvents } from './lists.ts';
import { orderObject } from './objects.ts';
import { parsePayPalOrder } from './order-request.ts';
import type { PayPalAccount } from './account.ts';
import { verifySignature } from './signature.ts';
import type { StoredOrder } from './state.ts';
import { hasToken, issueToken, rejection } from './tokens.ts';

type Endpoint = (call: Call, paypal: PayPalAccount, id: string) => Promise<Response>;

const ENDPOINTS: readonly (readonly [route: RegExp, endpoint: Endpoint])[] = [
  [/^POST \/v2\/checkout\/orders$/, createOrder],
  [/^GET \/v2\/checkout\/orders\/([^/]+)$/, readOnly(showOrder)],
  [/^POST \/v2\/checkout\/orders\/([^/]+)\/capture$/, captureOrder],
  [/^GET \/v1\/notifications\/webhooks-events$/, readOnly(listEvents)],
  [
    /^POST \/v1\/notifications\/verify-webhook-signature$/,
    readOnly(({ body }, { state, webhookSecret }) =>
      verifySignature(body, state.events, webhookSecret),
    ),
  ],
];

export async function answerApi(call: Call, paypal: PayPalAccount): Promise<Response> {
  const debugId = drawText(paypal.random, 13, '0123456789abcdef');
  try {
    rejectBy(call.fault);
    return await serve(call, paypal);
  } catch (thrown) {
    const error = thrown instanceof Unserved ? new PayPalError(thrown.status) : thrown;
    if (!(error instanceof PayPalError)) throw thrown;
    return Response.json(error.body(debugId), { status: error.status });
  }
}

async function serve(call: Call, paypal: PayPalAccount): Promise<Response> {
  const target = `${call.method} ${call.path}`;
  if (target === 'POST /v1/oauth2/token') {
    return withFault(call.fault, () => issueToken(call, paypal));
  }
  if (!hasToken(call, paypal)) return rejection(401, 'invalid_token');
  const isJson = call.headers.get('content-type')?.startsWith('application/json');
  if (call.method === 'POST' && !isJson) throw new PayPalError(415);
  for (const [route, endpoint] of ENDPOINTS) {
    const match = route.exec(target);
    if (match) return endpoint(call, paypal, match[1] ?? '');
  }
  throw noSuchResource();
}

/** An endpoint that changes nothing. */
function readOnly(read: (call: Call, paypal: PayPalAccount, id: string) => object): Endpoint {
  return (call, paypal, id) => withFault(call.fault, () => Response.json(read(call, paypal, id)));
}

function createOrder(call: Call, paypal: PayPalAccount): Promise<Response> {
  const request = parsePayPalOrder(call.body);
  if (!call.headers.has('paypal-request-id')) {
    const description = 'A PayPal-Request-Id is required with a payment_source.';
    throw new PayPalError(400, { issue: 'PAYPAL_REQUEST_ID_REQUIRED', description });
  }
  return once(call, paypal, () => paypal.create(request));
}

function captureOrder(call: Call, paypal: PayPalAccount, orderId: string): Promise<Response> {
  return once(call, paypal, () => paypal.capture(orderId));
}

/** A POST is answered with id and status only, unless it asks for the details or the order has a payment. */
function showOrder({ method, headers }: Call, paypal: PayPalAccount, id: string): object {
  const order = paypal.find(id);
  const asksForDetails = method === 'GET' || headers.get('prefer') === 'return=representation';
  return asksForDetails || order.payment ? orderObject(order) : { id, status: order.status };
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
async function once(call: Call, paypal: PayPalAccount, effect: () => StoredOrder) {
  const { path, headers, fault } = call;
  const requestId = headers.get('paypal-request-id');
  const answer = ({ id }: Pick<StoredOrder, 'id'>, status: number) =>
    Response.json(showOrder(call, paypal, id), { status });
  if (requestId === null) return answer(await withFault(fault, effect), 201);
  const key = `${path} ${requestId}`;
  const known = paypal.keys.find(key);
  if (known?.isDeclined) throw unprocessable('INSTRUMENT_DECLINED', 'It was declined before.');
  if (known) return answer(known, 200);
  const description = 'A previous request on this resource is currently in progress.';
  const inUse = new PayPalError(409, { issue: 'PREVIOUS_REQUEST_IN_PROGRESS', description });
  const at = paypal.now();
  const order = await paypal.keys.run(key, inUse, async (keep) => {
    try {
      return await withFault(fault, () => {
        const done = effect();
        keep({ at, id: done.id, isDeclined: false });
        return done;
      });
    } catch (thrown) {
      const [first] = thrown instanceof PayPalError ? thrown.issues : [];
      if (first?.issue === 'INSTRUMENT_DECLINED') keep({ at, id: '', isDeclined: true });
      throw thrown;
    }
  });
  return answer(order, 201);
}
