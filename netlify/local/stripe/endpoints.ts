/** The part of Stripe's API that the shop uses. Source: docs.stripe.com/api. */
import { type Static, Type } from 'typebox';
import type { Call } from '../provider/emulator.ts';
import { record, text } from '../provider/schema.ts';
import { StripeError } from './failure.ts';
import { formParser } from './form.ts';
import { sessionObject } from './objects.ts';
import { readSessionParams } from './session-params.ts';
import type { StoredSession } from './state.ts';
import type { StripeAccount } from './account.ts';

const PAGE = record({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  starting_after: Type.Optional(text(5000)),
  created: Type.Optional(record({ gte: Type.Integer({ minimum: 0 }) })),
});
const readSessionQuery = formParser(
  record({
    ...PAGE.properties,
    expand: Type.Optional(Type.Tuple([Type.Literal('data.payment_intent')])),
  }),
);
const readSessionParts = formParser(
  record({ expand: Type.Optional(Type.Tuple([Type.Literal('payment_intent')])) }),
);
const readNothing = formParser(record({}));
const EVENT_TYPES = Type.Array(text(5000), { minItems: 1, maxItems: 20 });
const readEventQuery = formParser(
  record({ ...PAGE.properties, types: Type.Optional(EVENT_TYPES) }),
);

/** Parses a request, and returns a function that carries it out and returns the object to answer with. */
type Endpoint = (form: string, stripe: StripeAccount, id: string) => () => object;

const ENDPOINTS: readonly (readonly [route: RegExp, begin: Endpoint])[] = [
  [/^POST \/v1\/checkout\/sessions$/, createSession],
  [/^GET \/v1\/checkout\/sessions$/, listSessions],
  [/^GET \/v1\/checkout\/sessions\/([^/]+)$/, showSession],
  [/^POST \/v1\/checkout\/sessions\/([^/]+)\/expire$/, expireSession],
  [/^GET \/v1\/events$/, listEvents],
];

/**
 * Finds the endpoint of a request and parses the request. Returns a function that carries it out.
 *
 * @throws StripeError for an unknown path or wrong parameters: nothing has been carried out
 */
export function beginOf({ method, path, query, body }: Call, stripe: StripeAccount): () => object {
  const form = method === 'GET' ? query.toString() : body;
  for (const [route, begin] of ENDPOINTS) {
    const match = route.exec(`${method} ${path}`);
    if (match) return begin(form, stripe, match[1] ?? '');
  }
  throw new StripeError(404, { message: `Unrecognized request URL (${method}: ${path}).` });
}

function createSession(form: string, stripe: StripeAccount) {
  const params = readSessionParams(form);
  return () => sessionObject(stripe.create(params), stripe.baseUrl);
}

function listSessions(form: string, { checkouts, baseUrl }: StripeAccount) {
  const { expand, ...page } = readSessionQuery(form);
  const show = (session: StoredSession) => sessionObject(session, baseUrl, expand !== undefined);
  return () => listObject(checkouts.map(show), page);
}

function showSession(form: string, stripe: StripeAccount, id: string) {
  const { expand } = readSessionParts(form);
  return () => sessionObject(stripe.find(id), stripe.baseUrl, expand !== undefined);
}

function expireSession(form: string, stripe: StripeAccount, id: string) {
  readNothing(form);
  return () => sessionObject(stripe.expire(id), stripe.baseUrl);
}

function listEvents(form: string, { webhooks }: StripeAccount) {
  const { types, ...page } = readEventQuery(form);
  const matching = webhooks.events.filter(
    ({ type }) => types === undefined || types.includes(type),
  );
  // `emit` has written each body as the JSON of an event, which has these fields.
  const events = matching.map(({ body }) => JSON.parse(body) as { id: string; created: number });
  return () => listObject(events.toReversed(), page);
}

/** @param all newest first */
function listObject(
  all: readonly { readonly id: string; readonly created: number }[],
  { limit = 10, starting_after: after, created }: Static<typeof PAGE>,
) {
  const start = all.findIndex(({ id }) => id === after) + 1;
  const { gte = 0 } = created ?? {};
  const matching = all.slice(start).filter(({ created: time }) => time >= gte);
  return { object: 'list', data: matching.slice(0, limit), has_more: matching.length > limit };
}
