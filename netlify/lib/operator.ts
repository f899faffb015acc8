/** Sends notices to the operator's webhook: a chat of Slack or Discord, or any that takes JSON. */
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
 * Returns a function that posts a notice to a webhook. Slack reads `text`, Discord
 * `content`. The other fields are for programs: a notice sent again after a lost answer has the same `id`.
 */
export function openSender(url: URL, fetch = globalThis.fetch): SendNotice {
  return async (notice) => {
    const text = noticeText(notice);
    const { id, kind, at } = notice;
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text, content: text, id, kind, at }),
      // A redirect would tell another host the address, which is a secret.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the webhook answered ${response.status}`);
  };
}
