/**
 * Keeps the mails that the auth service (confirmation links, password resets) and the shop would send.
 *
 * The auth library (version 0.10) ignores `redirect_to`: its links begin with the configured site's address
 * and redirect there. Here, as from GoTrue, they redirect to the `redirect_to` of the request that
 * caused the mail. This address is checked when the user follows the link. The Host header of a request does
 * not count, because the sender of the request chooses it.
 *
 * With a data folder the mails survive a restart, as do the accounts that wait for confirmation.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { PKCE_PREFIX } from './pkce.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The links in the text, in their order. */
  readonly links: readonly string[];
  readonly sentAt: string;
}

const MAX_MAILS = 50;
const VERIFY_LINK = /https?:\/\/[^\s"]+\/auth\/v1\/verify\?[^\s"]+/g;

interface Cause {
  /** The request's address, with `redirect_to`. */
  readonly url: string;
  /** Whether the request came with a challenge (`pkce.ts`). */
  readonly isPkce: boolean;
}

const causeOfMails = new AsyncLocalStorage<Cause>();

/** Runs `handle`, which answers a request. Mails sent meanwhile lead to this request's `redirect_to`. */
export function attributeMailsTo<T>(request: Cause, handle: () => T): T {
  return causeOfMails.run(request, handle);
}

export class Mailbox {
  #mails: readonly Mail[] = [];
  readonly #onMail: (mail: Mail) => void;
  readonly #file: string | undefined;

  /** @param file where the mails are stored; without it they last as long as the process */
  constructor(onMail: (mail: Mail) => void, file?: string) {
    this.#onMail = onMail;
    this.#file = file;
    if (file !== undefined) this.#mails = readMails(file);
  }

  /** Oldest first. */
  get mails(): readonly Mail[] {
    return this.#mails;
  }

  /** Called by the auth library, and for each mail of the shop. */
  async send(message: { to: string; subject: string; text?: string }): Promise<void> {
    const { to, subject } = message;
    const text = redirectToRequested(message.text ?? '');
    const links = text.match(/https?:\/\/\S+/g) ?? [];
    const mail: Mail = { to, subject, text, links, sentAt: new Date().toISOString() };
    this.#mails = [...this.#mails, mail].slice(-MAX_MAILS);
    if (this.#file !== undefined) storeMails(this.#file, this.#mails);
    this.#onMail(mail);
  }
}

/** Reads the stored mails; an empty list if the file is missing or damaged, so that the shop starts. */
function readMails(file: string): readonly Mail[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Mail[]; // as `storeMails` wrote them
  } catch {
    return [];
  }
}

/** Readable by the owner only: a link opens the account. */
function storeMails(file: string, mails: readonly Mail[]): void {
  try {
    writeFileSync(`${file}.new`, JSON.stringify(mails), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // A full disk: the mail stays in memory until the shop stops.
  }
}

/**
 * Makes the links in a mail's text redirect to the `redirect_to` of the request that caused it. Where that request came
 * with a PKCE challenge, marks the link's token, so that the link leads back with a code (pkce.ts).
 */
function redirectToRequested(text: string): string {
  const cause = causeOfMails.getStore();
  const request = cause && URL.parse(cause.url);
  if (!request) return text;
  return text.replaceAll(VERIFY_LINK, (href) => {
    const link = new URL(href);
    link.searchParams.set('redirect_to', request.searchParams.get('redirect_to') ?? link.origin);
    const token = link.searchParams.get('token');
    if (cause.isPkce) link.searchParams.set('token', PKCE_PREFIX + token);
    return link.href;
  });
}
