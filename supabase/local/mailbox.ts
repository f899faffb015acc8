/**
 * Keeps the mails that the auth service would send: confirmation links, password resets.
 *
 * The library's links start at the configured site and lead back there, whatever the shop asked for
 * (version 0.10). Here, as from GoTrue, they lead to the `redirect_to` of the request that caused
 * the mail; and they start at the address at which that request reached us, because a browser on
 * 127.0.0.1, on IPv6 or behind a forwarded port may not reach any other. Whether a `redirect_to` is
 * acceptable is checked when the link is followed.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The links in the text, in their order. */
  readonly links: readonly string[];
  readonly sentAt: string;
}

const KEPT_MAILS = 200;
const VERIFY_LINK = /https?:\/\/[^\s"]+\/auth\/v1\/verify\?[^\s"]+/g;

const cause = new AsyncLocalStorage<string>();

/** Runs `work`, which answers a request to this URL; mails sent meanwhile are due to it. */
export function answeringTo<T>(url: string, work: () => T): T {
  return cause.run(url, work);
}

export class Mailbox {
  #mails: Mail[] = [];
  readonly #onMail: (mail: Mail) => void;

  constructor(onMail: (mail: Mail) => void = () => undefined) {
    this.#onMail = onMail;
  }

  /** Oldest first. */
  get mails(): readonly Mail[] {
    return this.#mails;
  }

  /** Called by the auth library. */
  async send(message: {
    to: string;
    subject: string;
    text?: string;
    html?: string;
  }): Promise<void> {
    const { to, subject } = message;
    const text = leadBack(message.text ?? '');
    const html = leadBack(message.html ?? '');
    const links = text.match(/https?:\/\/\S+/g) ?? [];
    const mail: Mail = { to, subject, text, html, links, sentAt: new Date().toISOString() };
    this.#mails = [...this.#mails, mail].slice(-KEPT_MAILS);
    this.#onMail(mail);
  }
}

function leadBack(text: string): string {
  const request = URL.parse(cause.getStore() ?? '');
  if (request === null) return text;
  return text.replaceAll(VERIFY_LINK, (found) => {
    const link = new URL(found);
    const back = request.searchParams.get('redirect_to') ?? request.origin;
    link.searchParams.set('redirect_to', back);
    return request.origin + link.pathname + link.search;
  });
}
