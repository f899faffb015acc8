/** The part of Stripe's API that the shop uses. Source: docs.stripe.com/api. */
import { choice, parserOf, record } from '../provider/schema.ts';
import type { StripeAccount } from './account.ts';
import { noSuchSession, StripeError } from './failure.ts';
import { readForm } from './form.ts';
import { eventList, parseEventQuery } from './events.ts';
import { sessionObject } from './objects.ts';
import { parseRefund, refund } from './refunds.ts';
import { readSessionParams } from './session-params.ts';
import type { StoredSession } from './state.ts';

export interface ApiCall {
  readonly method: string;
  readonly path: string;
  /** The body of a POST, the query of a GET. */
  readonly form: string;
  /** In milliseconds since 1970. */
  readonly now: number;
}

interface ListQuery {
  readonly expand?: readonly string[];
  readonly limit?: number;
  readonly starting_after?: string;
  readonly status?: StoredSession['status'];
  readonly created?: { readonly gte?: number };
}

const expanding = (name: string) => ({ type: 'array', items: choice(name) });
const parseNothing = parserOf<object>(record({}), 'form');
const parseExpand = parserOf<{ expand?: readonly string[] }>(
  record({ expand: expanding('payment_intent') }),
  'form',
);
const parseList = parserOf<ListQuery>(
  record({
    expand: expanding('data.payment_intent'),
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    starting_after: { type: 'string' },
    status: choice('open', 'complete', 'expired'),
    created: record({ gte: { type: 'integer' } }),
  }),
  'form',
);
const PAGE_SIZE = 10;
const SESSION_ROUTE = /^\/v1\/checkout\/sessions(?:\/([^/]+)(\/expire)?)?$/;

/**
 * Reads a request and says what it would do. Doing it gives the object to answer with, or throws a
 * StripeError.
 *
 * @throws StripeError when the request does not even begin
 */
export function endpointOf(call: ApiCall, stripe: StripeAccount): () => object {
  const { method, path, form } = call;
  const { baseUrl } = stripe;
  const [isSession, id = '', isExpire] = SESSION_ROUTE.exec(path) ?? [];
  const action = isExpire ? 'expire' : id === '' ? 'all' : 'one';
  switch (`${method} ${isSession === undefined ? path : action}`) {
    case 'POST /v1/refunds': {
      const params = readForm(form, parseRefund);
      return () => refund(stripe, params);
    }
    case 'GET /v1/events': {
      const query = readForm(form, parseEventQuery);
      return () => eventList(stripe, query);
    }
    case 'POST all': {
      const params = readSessionParams(form);
      return () => sessionObject(stripe.create(params), baseUrl);
    }
    case 'GET all': {
      const query = readForm(form, parseList);
      return () => sessionList(stripe.sessions, query, baseUrl);
    }
    case 'GET one': {
      const { expand } = readForm(form, parseExpand);
      return () => sessionObject(stripe.find(id), baseUrl, expand !== undefined);
    }
    case 'POST expire':
      readForm(form, parseNothing);
      return () => sessionObject(stripe.expire(id), baseUrl);
    default:
      throw new StripeError(404, {
        type: 'invalid_request_error',
        message: `Unrecognized request URL (${method}: ${path}).`,
      });
  }
}

/** @param all newest first */
function sessionList(
  all: readonly StoredSession[],
  { expand, limit = PAGE_SIZE, starting_after: after, status, created }: ListQuery,
  baseUrl: string,
) {
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw noSuchSession(after, 'starting_after');
  const found = all
    .slice(start)
    .filter((session) => status === undefined || session.status === status)
    .filter(({ createdAt }) => createdAt >= (created?.gte ?? -Infinity));
  return {
    object: 'list',
    data: found
      .slice(0, limit)
      .map((session) => sessionObject(session, baseUrl, expand !== undefined)),
    has_more: found.length > limit,
    url: '/v1/checkout/sessions',
  };
}
