/** The list of events, which the shop reads for those that its webhook has missed. */
import { parserOf, record } from '../provider/schema.ts';
import type { StripeAccount } from './account.ts';

interface EventQuery {
  readonly types?: readonly string[];
  readonly created?: { readonly gte?: number };
  readonly limit?: number;
  readonly starting_after?: string;
}

const PAGE_SIZE = 10;

export const parseEventQuery = parserOf<EventQuery>(
  record({
    types: { type: 'array', items: { type: 'string' }, maxItems: 20 },
    created: record({ gte: { type: 'integer' } }),
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    starting_after: { type: 'string' },
  }),
  'form',
);

/** Newest first. After a restart the emulator has only those that the shop has not accepted. */
export function eventList(
  { webhooks }: StripeAccount,
  { types, created, limit = PAGE_SIZE, starting_after: after }: EventQuery,
) {
  const all = webhooks.events.toReversed();
  const found = all
    .slice(all.findIndex(({ id }) => id === after) + 1)
    .filter(({ type }) => types === undefined || types.includes(type))
    .map(({ body }) => JSON.parse(body) as { readonly created: number }) // as `emit` wrote it
    .filter((event) => event.created >= (created?.gte ?? -Infinity));
  return {
    object: 'list',
    data: found.slice(0, limit),
    has_more: found.length > limit,
    url: '/v1/events',
  };
}
