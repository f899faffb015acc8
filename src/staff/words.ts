import { countOf } from '../domain/count.ts';
import { moneyBackWords } from '../domain/money-back.ts';
import { orderStateWords } from '../domain/order.ts';
import { sentWords } from '../domain/sent.ts';
import type { StaffOrder } from '../domain/staff-order.ts';
import { failureWords } from './mutations.ts';
import type { Polled } from './queries.ts';

/** All that staff must know of an order before they pack it. */
export function stateLines(order: StaffOrder): string[] {
  return [
    ...(order.mode === 'sandbox' ? ['Test payment'] : []),
    sentWords(order) ?? orderStateWords(order.state),
    ...moneyBackWords(order, 'the customer'),
    ...(order.review === null ? [] : [`Needs attention: ${order.review}`]),
  ];
}

export function itemsWords({ lines }: StaffOrder): string {
  const count = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  return countOf(count, 'item');
}

/** What a page says about how old it is; '' while it is fresh. */
export function freshnessWords<T extends { readonly at: number }>({
  value,
  failure,
}: Polled<T>): string {
  if (failure === null) return value === null ? 'Loading…' : '';
  const words = failure.kind === 'offline' ? 'You’re offline.' : failureWords(failure);
  if (value === null) return words;
  const minutes = Math.floor((Date.now() - value.at) / 60_000);
  return `${words} Last updated ${ageWords(minutes)}. You can’t make changes right now.`;
}

function ageWords(minutes: number): string {
  if (minutes < 1) return 'just now';
  return minutes < 60
    ? AGO.format(-minutes, 'minute')
    : AGO.format(-Math.floor(minutes / 60), 'hour');
}

const AGO = new Intl.RelativeTimeFormat('en');
