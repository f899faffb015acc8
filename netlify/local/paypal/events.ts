/** The list of events, which the shop reads for those that its webhook has missed. */
import type { PayPalAccount } from './account.ts';

const DEFAULT_SIZE = 10;

/** Newest first. After a restart the emulator has only those that the shop has not accepted. */
export function listEvents(query: URLSearchParams, { webhooks, baseUrl }: PayPalAccount) {
  const [from, to] = ['start_time', 'end_time'].map((name) => Date.parse(query.get(name) ?? ''));
  const size = Number(query.get('page_size') ?? DEFAULT_SIZE);
  const start = Number(query.get('next_page_token') ?? 0);
  const found = webhooks.events
    .map(({ body }) => JSON.parse(body) as { readonly create_time: string }) // as `emit` wrote it
    .filter(
      ({ create_time: time }) =>
        !(Date.parse(time) < Number(from)) && !(Date.parse(time) > Number(to)),
    )
    .toReversed();
  const next = new URLSearchParams(query);
  next.set('next_page_token', String(start + size));
  const href = `${baseUrl}/v1/notifications/webhooks-events?${next.toString()}`;
  const isMore = start + size < found.length;
  return {
    events: found.slice(start, start + size),
    count: found.length,
    links: isMore ? [{ href, rel: 'next', method: 'GET' }] : [],
  };
}
