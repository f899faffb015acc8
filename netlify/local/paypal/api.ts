/** The part of PayPal's REST API that the shop uses: tokens, orders, captures, webhook checks. */
import type { Random } from '../provider/chance.ts';
import { drawText } from '../provider/chance.ts';
import type { FaultPoint } from '../provider/faults.ts';
import { ServerBroke } from '../provider/faults.ts';
import { notJson, noSuchResource, PayPalError } from './failure.ts';
import { captureWithOrder, orderObject, shortOrderObject } from './objects.ts';
import { readOrderRequest } from './order-request.ts';
import type { Orders } from './orders.ts';
import { RequestIds } from './request-ids.ts';
import { verify } from './signature.ts';
import type { PayPalState, StoredOrder } from './state.ts';
import type { Credentials } from './tokens.ts';
import { searchTransactions } from './transactions.ts';
import { forgetOldTokens, issueToken, refuseToken } from './tokens.ts';

export interface PayPalApiOptions {
  readonly state: PayPalState;
  readonly orders: Orders;
  readonly credentials: Credentials;
  /** Signs webhooks. */
  readonly webhookSecret: string;
  readonly baseUrl: string;
  /** In milliseconds since 1970. */
  readonly now: () => number;
  readonly random: Random;
}

export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  readonly headers: Headers;
}

const ROUTE = /^\/v\d\/(?:checkout\/(orders)|payments\/(captures))\/([^/]+)(?:\/(capture))?$/;

export class PayPalApi {
  readonly #options: PayPalApiOptions;
  readonly #ids: RequestIds;

  constructor(options: PayPalApiOptions) {
    this.#options = options;
    this.#ids = new RequestIds(options.state.requests);
  }

  forgetOld(): void {
    const now = this.#options.now();
    this.#ids.forgetOld(now);
    forgetOldTokens(this.#options.state, now);
  }

  async answer(call: ApiCall, point: FaultPoint): Promise<Response> {
    const debugId = drawText(this.#options.random, 13, '0123456789abcdef');
    try {
      if (point.refusal !== undefined) throw new PayPalError(point.refusal);
      const answer = await this.#begin(call, point);
      answer.headers.set('paypal-debug-id', debugId);
      return answer;
    } catch (thrown) {
      const refusal = thrown instanceof ServerBroke ? new PayPalError(500) : thrown;
      if (!(refusal instanceof PayPalError)) throw thrown;
      const headers = { 'paypal-debug-id': debugId };
      return Response.json(refusal.body(debugId), { status: refusal.status, headers });
    }
  }

  async #begin(call: ApiCall, point: FaultPoint): Promise<Response> {
    const { state, credentials, orders, baseUrl, random } = this.#options;
    const { method, path, query, body, headers } = call;
    const now = this.#options.now();
    const authorization = headers.get('authorization');
    if (`${method} ${path}` === 'POST /v1/oauth2/token') {
      return point.around(() =>
        issueToken(authorization, body, credentials, state, { random, now }),
      );
    }
    const refused = refuseToken(authorization, state);
    if (refused !== undefined) return refused;
    if (method === 'POST') checkType(headers);
    const [, order, capture, id = '', deed] = ROUTE.exec(path) ?? [];
    switch (`${method} ${order ?? capture ?? path}${deed === undefined ? '' : `/${deed}`}`) {
      case 'POST /v2/checkout/orders':
        return this.#create(call, point);
      case 'GET orders':
        return point.around(() => Response.json(orderObject(orders.find(id), baseUrl)));
      case 'POST orders/capture':
        return this.#capture(call, id, point);
      case 'GET captures':
        return point.around(() => {
          const found = orders.findCapture(id);
          return Response.json(captureWithOrder(found.order, found.capture, baseUrl));
        });
      case 'GET /v1/reporting/transactions':
        return point.around(() => Response.json(searchTransactions(query, orders, baseUrl)));
      case 'POST /v1/notifications/verify-webhook-signature':
        return point.around(() =>
          Response.json(verify(body, parseJson(body), state.events, this.#options.webhookSecret)),
        );
      default:
        throw noSuchResource();
    }
  }

  async #create(call: ApiCall, point: FaultPoint): Promise<Response> {
    const { orders } = this.#options;
    const request = readOrderRequest(parseJson(call.body));
    if (request.payment_source !== undefined && call.headers.get('paypal-request-id') === null) {
      const description = 'A PayPal-Request-Id is required with a payment_source.';
      throw new PayPalError(400, [{ issue: 'PAYPAL_REQUEST_ID_REQUIRED', description }]);
    }
    return this.#once(call, point, () => orders.create(request));
  }

  async #capture(call: ApiCall, id: string, point: FaultPoint): Promise<Response> {
    if (call.body.trim() !== '') parseJson(call.body);
    return this.#once(call, point, () => this.#options.orders.capture(id));
  }

  /** Answers 201 the first time and 200 afterwards, as shortly as the client prefers. */
  async #once(call: ApiCall, point: FaultPoint, effect: () => StoredOrder): Promise<Response> {
    const { orders, baseUrl } = this.#options;
    const { path, headers } = call;
    const { order, isNew } = await this.#ids.run(
      { path, id: headers.get('paypal-request-id'), now: this.#options.now() },
      (remember) =>
        point.around(() => {
          const done = effect();
          remember(done);
          return done;
        }),
      (orderId) => orders.find(orderId),
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}
