/** Netlify runs this function on a schedule. It ignores the request, so a stranger's call gains nothing. */
import type { Config } from '@netlify/functions';
import { operatorWebhook } from '../lib/env.ts';
import { json, serve } from '../lib/http.ts';
import { mailSender, smtpSettings } from '../lib/mail.ts';
import { logSender, sendMessages, webhookSender } from '../lib/messages.ts';
import { netlifyPorts } from '../lib/ports.ts';

export default serve('POST', async () => {
  // Each runs even if the other hangs or fails.
  const outcomes = await Promise.allSettled([tellOperator(), sendMails()]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return json({ done: true });
});

async function tellOperator(): Promise<void> {
  const url = operatorWebhook();
  const ports = netlifyPorts();
  await sendMessages(ports, url ? webhookSender(ports, url) : logSender(ports));
}

async function sendMails(): Promise<void> {
  const smtp = smtpSettings();
  const ports = netlifyPorts();
  // The database queues mails only while the shop has a mail server.
  await ports.call('use_mail', { p_on: smtp !== null });
  if (smtp !== null) await sendMessages(ports, mailSender(ports, smtp), 'mail');
}

export const config: Config = { schedule: '*/5 * * * *' };
