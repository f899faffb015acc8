/** The operator's webhook: a chat room of Slack, Teams or Discord, or anything that takes JSON. */
import { NotConfigured, operatorWebhook, type ReadVariable, netlifyVariable } from './env.ts';
import { noticeText, sendNotices, type SendNotice } from './notices.ts';
import type { Ports } from './payments.ts';

const TIMEOUT_MS = 5000;

/** Sends the notices that are due to the address in OPERATOR_WEBHOOK_URL. Never throws. */
export async function tellOperator(
  ports: Pick<Ports, 'call' | 'now' | 'log'>,
  read: ReadVariable = netlifyVariable,
): Promise<void> {
  await sendNotices(ports, senderOf(ports, read));
}

function senderOf({ log }: Pick<Ports, 'log'>, read: ReadVariable): SendNotice | null {
  try {
    const url = operatorWebhook(read);
    return url && openSender(url);
  } catch (thrown) {
    if (!(thrown instanceof NotConfigured)) throw thrown;
    log(thrown.message);
    return null;
  }
}

/**
 * Slack and Teams read `text`, Discord reads `content`. The other fields are for programs; `id` tells a
 * notice that comes twice, because an answer was lost, from another.
 */
export function openSender(url: URL, fetch = globalThis.fetch): SendNotice {
  return async (notice) => {
    const text = noticeText(notice);
    const { id, kind, at } = notice;
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text, content: text, id, kind, at }),
      // The address is the operator's secret, and goes to no other host.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the webhook answered ${response.status}`);
  };
}
