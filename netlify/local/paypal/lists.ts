/** The list of events, in which the shop looks for those that its webhook has missed. */
import type { Call } from '../provider/emulator.ts';
import type { PayPalAccount } from './account.ts';

/** The newest events first. A missing bound is NaN, and leaves no event out. */
export function listEvents({ query }: Call, { webhooks, baseUrl }: PayPalAccount) {
  const [from, to] = timesOf(query, 'start_time', 'end_time');
  const size = Number(query.get('page_size') ?? 10);
  const start = Number(query.get('next_page_token') ?? 0);
  const matching = webhooks.events
    .map(({ body }) => JSON.parse(body) as { readonly create_time: string }) // as `emit` wrote it
    .filter(({ create_time: time }) => !(Date.parse(time) < from) && !(Date.parse(time) > to))
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

/** Two dates of a query in milliseconds since 1970; NaN for a date that is missing or cannot be read. */
function timesOf(query: URLSearchParams, from: string, to: string): [number, number] {
  return [Date.parse(query.get(from) ?? ''), Date.parse(query.get(to) ?? '')];
}
