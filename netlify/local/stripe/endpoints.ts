/** The part of Stripe's API that the shop uses. Source: docs.stripe.com/api. */
import type { Call } from '../provider/emulator.ts';
import type { ValueOf } from '../provider/schema.ts';
import { choice, integer, listOf, record, text } from '../provider/schema.ts';
import { StripeError } from './failure.ts';
import { formOf } from './form.ts';
import { refundObject, sessionObject } from './objects.ts';
import { readSessionParams } from './session-params.ts';
import type { LocalStripe } from './stripe.ts';

const expanding = (name: string) => listOf(choice(name), 1, 1);
const readRefund = formOf(record({ payment_intent: text(5000) }, { amount: integer(1) }));

const PAGE_FIELDS = {
  limit: integer(1, 100),
  starting_after: text(5000),
  created: record({ gte: integer(0) }),
};
const PAGE = record({}, PAGE_FIELDS);
const status = choice('open', 'complete', 'expired');
const readSessionQuery = formOf(
  record({}, { ...PAGE_FIELDS, expand: expanding('data.payment_intent'), status }),
);
const readEventQuery = formOf(record({}, { ...PAGE_FIELDS, types: listOf(text(5000), 1, 20) }));

interface Endpoint {
  readonly route: RegExp;
  /** Reads a request, and returns what does it and gives the object to answer with. */
  begin(form: string, stripe: LocalStripe, id: string): () => object;
}

function endpoint<T>(
  route: RegExp,
  read: (form: string) => T,
  perform: (params: T, stripe: LocalStripe, id: string) => object,
): Endpoint {
  return {
    route,
    begin(form, stripe, id) {
      const params = read(form);
      return () => perform(params, stripe, id);
    },
  };
}

const ENDPOINTS = [
  endpoint(/^POST \/v1\/checkout\/sessions$/, readSessionParams, (params, stripe) =>
    sessionObject(stripe.create(params), stripe.baseUrl),
  ),
  endpoint(/^GET \/v1\/checkout\/sessions$/, readSessionQuery, (query, stripe) => {
    const { status, expand } = query;
    const found = stripe.sessions.filter((one) => status === undefined || one.status === status);
    const shown = found.map((one) => sessionObject(one, stripe.baseUrl, expand !== undefined));
    return listObject(shown, query);
  }),
  endpoint(
    /^GET \/v1\/checkout\/sessions\/([^/]+)$/,
    formOf(record({}, { expand: expanding('payment_intent') })),
    ({ expand }, stripe, id) =>
      sessionObject(stripe.find(id), stripe.baseUrl, expand !== undefined),
  ),
  endpoint(
    /^POST \/v1\/checkout\/sessions\/([^/]+)\/expire$/,
    formOf(record({})),
    (_, stripe, id) => sessionObject(stripe.expire(id), stripe.baseUrl),
  ),
  endpoint(/^POST \/v1\/refunds$/, readRefund, ({ payment_intent: id, amount }, stripe) =>
    refundObject(id, stripe.refund(id, amount)),
  ),
  endpoint(/^GET \/v1\/events$/, readEventQuery, (query, { webhooks }) => {
    const { types } = query;
    const found = webhooks.events.filter(({ type }) => types === undefined || types.includes(type));
    // As `emit` wrote them.
    const events = found.map(({ body }) => JSON.parse(body) as { id: string; created: number });
    return listObject(events.toReversed(), query);
  }),
];

/** @throws StripeError when the request does not even begin */
export function beginOf({ method, path, query, body }: Call, stripe: LocalStripe): () => object {
  const form = method === 'GET' ? query.toString() : body;
  for (const { route, begin } of ENDPOINTS) {
    const match = route.exec(`${method} ${path}`);
    if (match) return begin(form, stripe, match[1] ?? '');
  }
  throw new StripeError(404, { message: `Unrecognized request URL (${method}: ${path}).` });
}

/** @param all newest first */
function listObject(
  all: readonly { readonly id: string; readonly created: number }[],
  { limit = 10, starting_after: after, created }: ValueOf<typeof PAGE>,
) {
  const start = all.findIndex(({ id }) => id === after) + 1;
  const found = all.slice(start).filter((one) => one.created >= (created?.gte ?? 0));
  return { object: 'list', data: found.slice(0, limit), has_more: found.length > limit };
}
