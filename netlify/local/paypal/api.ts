/** The part of PayPal's REST API that the shop uses: tokens, orders, captures, webhook checks. */
import { drawText } from '../provider/chance.ts';
import type { Call } from '../provider/emulator.ts';
import type { RequestFault } from '../provider/faults.ts';
import { ServerBroke, withFault } from '../provider/faults.ts';
import type { PayPalAccount } from './account.ts';
import { listEvents } from './events.ts';
import { noSuchResource, PayPalError, valueOf } from './failure.ts';
import { orderObject, shortOrderObject } from './objects.ts';
import { parseOrderRequest } from './order-request.ts';
import { parseRefund, refund } from './refunds.ts';
import { RequestIds } from './request-ids.ts';
import { verify } from './signature.ts';
import type { StoredOrder } from './state.ts';
import { centsOf } from './sums.ts';
import { forgetOldTokens, issueToken, rejectToken } from './tokens.ts';
import { searchTransactions } from './transactions.ts';

const ORDER_PATH = /^\/v2\/checkout\/orders\/([^/]+)(\/capture)?$/;
const REFUND_PATH = /^\/v2\/payments\/captures\/([^/]+)\/refund$/;

export class PayPalApi {
  readonly #paypal: PayPalAccount;
  readonly #ids: RequestIds;

  constructor(paypal: PayPalAccount) {
    this.#paypal = paypal;
    this.#ids = new RequestIds(paypal.state.requests);
  }

  forgetOld(): void {
    const { state, now } = this.#paypal;
    this.#ids.forgetOld(now());
    forgetOldTokens(state, now());
  }

  async answer(call: Call, fault?: RequestFault): Promise<Response> {
    const debugId = drawText(this.#paypal.random, 13, '0123456789abcdef');
    const headers = { 'paypal-debug-id': debugId };
    try {
      if (fault?.kind === 'reject') throw new PayPalError(fault.status);
      return await this.#route(call, fault);
    } catch (thrown) {
      const error = thrown instanceof ServerBroke ? new PayPalError(500) : thrown;
      if (!(error instanceof PayPalError)) throw thrown;
      return Response.json(error.body(debugId), { status: error.status, headers });
    }
  }

  async #route(call: Call, fault?: RequestFault): Promise<Response> {
    const paypal = this.#paypal;
    const { method, path, query, body, headers } = call;
    const json = (effect: () => object) => withFault(fault, () => Response.json(effect()));
    if (`${method} ${path}` === 'POST /v1/oauth2/token') {
      return withFault(fault, () => issueToken(call, paypal));
    }
    const rejection = rejectToken(headers.get('authorization'), paypal.state);
    if (rejection !== undefined) return rejection;
    if (method === 'POST') checkType(headers);
    const [, id = '', isCapture] = ORDER_PATH.exec(path) ?? [];
    const [, captureId = ''] = REFUND_PATH.exec(path) ?? [];
    const ofOrder = isCapture ? 'capture' : 'order';
    const route = captureId === '' ? (id === '' ? path : ofOrder) : 'refund';
    switch (`${method} ${route}`) {
      case 'POST /v2/checkout/orders':
        return this.#create(call, fault);
      case 'GET order':
        return json(() => orderObject(paypal.find(id), paypal.baseUrl));
      case 'POST capture':
        return this.#once(call, fault, () => paypal.capture(id));
      case 'POST refund':
        return withFault(fault, () => this.#refund(captureId, call));
      case 'GET /v1/notifications/webhooks-events':
        return json(() => listEvents(query, paypal));
      case 'GET /v1/reporting/transactions':
        return json(() => searchTransactions(query, paypal));
      case 'POST /v1/notifications/verify-webhook-signature':
        return json(() => verify(body, parseJson(body), paypal.state.events, paypal.webhookSecret));
      default:
        throw noSuchResource();
    }
  }

  async #create(call: Call, fault?: RequestFault): Promise<Response> {
    const request = valueOf(parseOrderRequest(parseJson(call.body)));
    if (call.headers.get('paypal-request-id') === null) {
      const description = 'A PayPal-Request-Id is required with a payment_source.';
      throw new PayPalError(400, [{ issue: 'PAYPAL_REQUEST_ID_REQUIRED', description }]);
    }
    return this.#once(call, fault, () => this.#paypal.create(request));
  }

  #refund(captureId: string, { body, headers }: Call): Response {
    const { amount } = valueOf(parseRefund(body === '' ? {} : parseJson(body)));
    const id = headers.get('paypal-request-id');
    const cents = amount === undefined ? undefined : centsOf(amount);
    const { object, isNew } = refund(this.#paypal, captureId, cents, id);
    return Response.json(object, { status: isNew ? 201 : 200 });
  }

  /** Answers 201 the first time and 200 afterwards, as shortly as the client prefers. */
  async #once(
    { path, headers }: Call,
    fault: RequestFault | undefined,
    effect: () => StoredOrder,
  ): Promise<Response> {
    const { baseUrl, now } = this.#paypal;
    const { order, isNew } = await this.#ids.run(
      { path, id: headers.get('paypal-request-id'), now: now() },
      (remember) =>
        withFault(fault, () => {
          const done = effect();
          remember(done);
          return done;
        }),
      (orderId) => this.#paypal.find(orderId),
    );
    const isFull = headers.get('prefer') === 'return=representation';
    const object = isFull ? orderObject(order, baseUrl) : shortOrderObject(order, baseUrl);
    return Response.json(object, { status: isNew ? 201 : 200 });
  }
}

function checkType(headers: Headers): void {
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim();
  if (type !== 'application/json') throw new PayPalError(415);
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    const description = 'The request JSON is not well formed.';
    const issue = 'MALFORMED_REQUEST_JSON';
    throw new PayPalError(400, [{ issue, location: 'body', description }]);
  }
}
