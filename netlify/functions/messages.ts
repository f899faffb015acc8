/** Netlify runs this function on a schedule. It ignores the request, so a stranger's call gains nothing. */
import type { Config } from '@netlify/functions';
import { operatorWebhook } from '../lib/env.ts';
import { json, serve } from '../lib/http.ts';
import { mailSender, smtpSettings } from '../lib/mail.ts';
import { logSender, sendMessages, webhookSender } from '../lib/messages.ts';
import { netlifyPorts } from '../lib/ports.ts';

export default serve('POST', async () => {
  // A mail server that hangs, or a setting that is wrong, keeps the other half from nothing.
  const halves = await Promise.allSettled([tellOperator(), sendMails()]);
  for (const half of halves) if (half.status === 'rejected') throw half.reason;
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
  await ports.call('use_mail', { p_on: smtp !== null });
  if (smtp !== null) await sendMessages(ports, mailSender(ports, smtp), 'mail');
}

export const config: Config = { schedule: '*/5 * * * *' };
