/** `/local/mail`: the mails that the shop on this machine would have sent, with their links. */
import type { Mail } from '../../supabase/local/mailbox.ts';
import { escapeMarkup } from '../lib/escape.ts';
import { htmlPage } from './html-page.ts';

export const MAIL_PATH = '/local/mail';

/** The words of a link, by the `type` that the auth service gives it. */
const LABELS: Readonly<Record<string, string>> = {
  signup: 'Confirm the account',
  recovery: 'Choose a new password',
  magiclink: 'Sign in',
  email_change: 'Confirm the new address',
};

const STYLE = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; }
  article { border-top: 1px solid; padding-block: 1rem; }
  h2 { font-size: 1.125rem; margin: 0; }
  pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 0.75rem; }
  p { margin-block: 0.25rem 0.75rem; overflow-wrap: anywhere; }
  a { display: inline-block; min-height: 44px; line-height: 44px; max-width: 100%; overflow-wrap: anywhere; }
  article a { padding-inline: 1rem; border: 2px solid; border-radius: 4px; text-decoration: none; font-weight: 600; }
  a:focus-visible { outline: 3px solid; outline-offset: 2px; }`;

/** The page with all mails, newest first. @param mails oldest first */
export function mailPage(mails: readonly Mail[]): Response {
  const list = mails.toReversed().map(article).join('\n');
  const body = `<main>
<h1>Mail of this machine</h1>
<p>Nothing is sent from here: the newest mails that shoppers would get wait on this page.</p>
<p><a href="${MAIL_PATH}">Look again</a></p>
${list || '<p>There is no mail yet. Registering sends one, and so does paying for an order.</p>'}
</main>`;
  return htmlPage({ title: `Mail of this machine (${mails.length})`, style: STYLE, body });
}

function article(mail: Mail): string {
  const links = mail.links.map((link) => {
    const url = new URL(link);
    if (!isOfAuth(link)) return `<a href="${escapeMarkup(link)}">${escapeMarkup(link)}</a>`;
    const label = LABELS[url.searchParams.get('type') ?? ''] ?? 'Follow the link';
    // Relative to this page, because the browser may use another name of this machine than the link.
    return `<a href="${escapeMarkup(url.pathname + url.search)}">${label}</a>`;
  });
  // The mails of the auth service say no more than their links.
  const text = mail.links.some(isOfAuth) ? '' : `<pre>${escapeMarkup(mail.text)}</pre>`;
  return `<article>
<h2>${escapeMarkup(mail.subject)}</h2>
<p>To ${escapeMarkup(mail.to)}, <time datetime="${mail.sentAt}">${timeOf(mail)}</time></p>
${text}
${links.join('\n')}
</article>`;
}

function isOfAuth(link: string): boolean {
  return new URL(link).pathname.startsWith('/auth/');
}

/** In the time zone of this machine, with seconds to tell several mails to one shopper apart. */
function timeOf(mail: Mail): string {
  return new Date(mail.sentAt).toLocaleString('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'medium',
  });
}
