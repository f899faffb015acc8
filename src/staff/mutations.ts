import { download } from '../browser/download.ts';
import { countOf } from '../domain/count.ts';
import type { BackendFailure } from '../domain/failure.ts';
import { type OrdersChange, type SeenOrder, staffRemote } from '../remote/staff.ts';
import { notify } from '../ui/notices.ts';
import { shopFile } from '../ui/shop-file.ts';
import type { Reader } from './queries.ts';

/**
 * Changes orders, says what came of it, and returns whether they were changed.
 *
 * @param onDone called when the page must read them anew
 */
export async function requestChange(
  reader: Reader,
  orders: readonly SeenOrder[],
  change: OrdersChange,
  onDone: () => void,
): Promise<boolean> {
  const { uid, tokens } = reader;
  const answer = await staffRemote(tokens, uid).change(orders, change);
  // Also after a failure: somebody else may have been faster, or only the answer was lost.
  onDone();
  if (!answer.ok) {
    notify('alert', failureWords(answer.failure, orders.length === 1 ? 'order' : 'orders'));
    return false;
  }
  // Undo names the time of this marking, so that it takes back no newer marking of somebody else.
  const marked = orders.map((order) => ({ ...order, sentAt: answer.value }));
  const run = () => void requestChange(reader, marked, { change: 'unsend' }, onDone);
  const undo = change.change === 'send' ? { label: 'Undo', run, uid } : undefined;
  notify('status', `${countOf(orders.length, 'order')} ${DONE[change.change]}.`, undo);
  return true;
}

const DONE = { send: 'marked as sent', unsend: 'marked as not sent', close: 'reviewed' };

/**
 * What a person of the staff reads about a failure.
 *
 * @param changed what the request may have changed nevertheless; null for nothing
 */
export function failureWords(failure: BackendFailure, changed: string | null = null): string {
  switch (failure.kind) {
    case 'offline':
      if (changed === null) return 'We couldn’t reach the shop. Try again.';
      return `We couldn’t reach the shop. Check the ${changed} before you try again.`;
    case 'sign-in':
      return 'Your session has ended. Log in again.';
    case 'rejected':
      return failure.message ?? 'Something went wrong. Try again.';
  }
}

/** Saves a CSV of the orders to send. */
export async function saveOrdersToSend({ uid, tokens }: Reader): Promise<void> {
  const answer = await staffRemote(tokens, uid).file();
  if (!answer.ok) {
    notify('alert', failureWords(answer.failure));
    return;
  }
  const { csv, hasMore } = answer.value;
  download(shopFile('orders-to-send.csv'), new Blob([csv], { type: 'text/csv;charset=utf-8' }));
  if (hasMore)
    notify('status', 'The file only has the oldest orders. Mark those as sent, then save again.');
}

export async function copyAddress(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify('status', 'Address copied.');
  } catch {
    notify('alert', 'Your browser didn’t let us copy the address.');
  }
}
