/** The part of Stripe's API that the shop uses. Source: docs.stripe.com/api/checkout/sessions. */
import type { RecordShape, Shape } from '../provider/shape.ts';
import { invalid, noSuch, StripeError } from './failure.ts';
import { readForm } from './form.ts';
import { intentObject, lineItemObject, sessionObject } from './objects.ts';
import { readSessionParams } from './session-params.ts';
import type { Sessions } from './sessions.ts';
import type { StoredSession } from './state.ts';

export interface ApiCall {
  readonly method: string;
  readonly path: string;
  /** The body of a POST, the query of a GET. */
  readonly form: string;
}

const EXPAND: Shape = { kind: 'list', of: { kind: 'text' }, max: 20 };
const EXPAND_ONLY: Shape = { kind: 'record', fields: { expand: EXPAND } };
const PAGE: RecordShape = {
  kind: 'record',
  fields: {
    expand: EXPAND,
    limit: { kind: 'whole', min: 1, max: 100 },
    starting_after: { kind: 'text' },
  },
};
const SESSIONS: Shape = {
  kind: 'record',
  fields: {
    ...PAGE.fields,
    status: { kind: 'choice', of: ['open', 'complete', 'expired'] },
    created: { kind: 'record', fields: { gte: { kind: 'whole' } } },
  },
};
const PAGE_SIZE = 10;
const EXPANDABLE = new Set(['line_items', 'payment_intent']);
const ROUTE = /^\/v1\/(checkout\/sessions|payment_intents)(?:\/([^/]+)(?:\/([^/]+))?)?$/;

/**
 * Reads a request and says what it would do. Doing it gives the object to answer with, or throws a
 * refusal of its own.
 *
 * @throws StripeRefusal when the request does not even begin
 */
export function endpointOf(call: ApiCall, sessions: Sessions, baseUrl: string): () => object {
  const { route, id } = routeOf(call);
  const shown = (session: StoredSession, expand?: readonly string[]) =>
    expandSession(session, expand ?? [], baseUrl);
  switch (route) {
    case 'POST checkout/sessions': {
      const params = readSessionParams(call.form);
      checkExpand(params.expand);
      return () => shown(sessions.create(params), params.expand);
    }
    case 'GET checkout/sessions/:id': {
      const expand = readExpand(call.form);
      return () => shown(sessions.find(id), expand);
    }
    case 'GET checkout/sessions': {
      const query = readForm(call.form, SESSIONS) as SessionsQuery;
      const expand = inList(query.expand);
      return () => sessionList(sessions.all, query, (session) => shown(session, expand));
    }
    case 'POST checkout/sessions/:id/expire': {
      const expand = readExpand(call.form);
      return () => shown(sessions.expire(id), expand);
    }
    case 'GET checkout/sessions/:id/line_items': {
      const page = readForm(call.form, PAGE) as { limit?: number; starting_after?: string };
      return () => lineItems(sessions.find(id), page.limit, page.starting_after);
    }
    case 'GET payment_intents/:id': {
      if (readExpand(call.form).length > 0) throw cannotExpand('expand');
      return () => {
        const { session, intent } = sessions.findByIntent(id);
        return intentObject(session, intent);
      };
    }
    default:
      throw new StripeError(404, {
        type: 'invalid_request_error',
        message: `Unrecognized request URL (${call.method}: ${call.path}).`,
      });
  }
}

function routeOf({ method, path }: ApiCall): { route: string; id: string } {
  const [, room, id, deed] = ROUTE.exec(path) ?? [];
  const parts = [room, id === undefined ? undefined : ':id', deed];
  return { route: `${method} ${parts.filter((part) => part).join('/')}`, id: id ?? '' };
}

function readExpand(form: string): readonly string[] {
  const { expand = [] } = readForm(form, EXPAND_ONLY) as { expand?: readonly string[] };
  checkExpand(expand);
  return expand;
}

function checkExpand(expand: readonly string[] = []): void {
  const stranger = expand.find((name) => !EXPANDABLE.has(name));
  if (stranger !== undefined) throw cannotExpand(stranger);
}

/** What is to be expanded in each object of a list. */
function inList(expand: readonly string[] = []): readonly string[] {
  const stranger = expand.find((name) => !name.startsWith('data.'));
  if (stranger !== undefined) throw cannotExpand(stranger);
  const names = expand.map((name) => name.slice('data.'.length));
  checkExpand(names);
  return names;
}

interface SessionsQuery {
  readonly expand?: readonly string[];
  readonly limit?: number;
  readonly starting_after?: string;
  readonly status?: StoredSession['status'];
  readonly created?: { readonly gte?: number };
}

/** Newest first. */
function sessionList(
  all: readonly StoredSession[],
  { limit = PAGE_SIZE, starting_after: after, status, created }: SessionsQuery,
  shown: (session: StoredSession) => object,
) {
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw noSuch('checkout.session', after, 'starting_after');
  const found = all
    .slice(start)
    .filter((session) => status === undefined || session.status === status)
    .filter(({ createdAt }) => createdAt >= (created?.gte ?? -Infinity));
  return {
    object: 'list',
    data: found.slice(0, limit).map(shown),
    has_more: found.length > limit,
    url: '/v1/checkout/sessions',
  };
}

function cannotExpand(name: string): StripeError {
  return invalid(`This property cannot be expanded (${name}).`, undefined, 'expand');
}

function expandSession(session: StoredSession, expand: readonly string[], baseUrl: string) {
  const object = sessionObject(session, baseUrl);
  const { intent } = session;
  return {
    ...object,
    ...(expand.includes('line_items') ? { line_items: lineItems(session) } : {}),
    ...(expand.includes('payment_intent') && intent !== null
      ? { payment_intent: intentObject(session, intent) }
      : {}),
  };
}

function lineItems(session: StoredSession, limit = PAGE_SIZE, after?: string) {
  const start = after === undefined ? 0 : session.lineIds.indexOf(after) + 1;
  if (after !== undefined && start === 0) {
    throw invalid(`No such item: '${after}'`, 'resource_missing', 'starting_after');
  }
  const all = session.params.line_items.map((line, i) => lineItemObject(session, line, i));
  return {
    object: 'list',
    data: all.slice(start, start + limit),
    has_more: start + limit < all.length,
    url: `/v1/checkout/sessions/${session.id}/line_items`,
  };
}
