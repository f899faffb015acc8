/**
 * The mail that confirms an email address, sent again. @supabase/lite (0.10) always answers that it was asked too
 * often. Source of the limit and its words: supabase/auth, internal/api/resend.go and mail.go.
 */
import { createHash, randomBytes } from 'node:crypto';
import { fieldsOf, parseJson } from '../../src/domain/fields.ts';
import type { Database } from './connection.ts';
import type { Mailbox } from './mailbox.ts';

/** `max_frequency` in supabase/config.toml. */
const EVERY_S = 60;

/** The address whose confirmation is to be mailed again; null for any other request. */
export function addressToConfirm(url: string, body: ArrayBuffer | null): string | null {
  if (body === null || new URL(url).pathname !== '/auth/v1/resend') return null;
  const { type, email } = fieldsOf(parseJson(new TextDecoder().decode(body)));
  return type === 'signup' && typeof email === 'string' ? email.toLowerCase() : null;
}

/**
 * Mails a new link; the former one ends. Nothing in the answer says whether the address has an account, or
 * whether it is confirmed.
 */
export async function mailConfirmationAgain(
  query: Database['query'],
  mailbox: Mailbox,
  email: string,
): Promise<Response> {
  const last = mailbox.mails.findLast(
    ({ to, text }) => to === email && text.includes('type=signup'),
  );
  const [user] = await query(
    `select ceil(extract(epoch from confirmation_sent_at + $2 * interval '1 second' - now()))::int as wait
     from auth.users where email = $1 and confirmed_at is null`,
    [email, EVERY_S],
  );
  if (!user || !last) return Response.json({});
  const wait = Number(user['wait']);
  if (wait > 0) {
    const msg = `For security purposes, you can only request this after ${wait} seconds.`;
    return Response.json({ error_code: 'over_email_send_rate_limit', msg }, { status: 429 });
  }
  const token = createHash('sha224').update(randomBytes(32)).digest('hex');
  await query(
    'update auth.users set confirmation_token = $2, confirmation_sent_at = now() where email = $1',
    [email, token],
  );
  const text = last.text.replaceAll(/(?<=[?&]token=)[^&\s"]+/g, token);
  await mailbox.send({ to: email, subject: last.subject, text });
  return Response.json({});
}
