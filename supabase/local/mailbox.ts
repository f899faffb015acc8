/** Keeps the mails that the auth service would send: confirmation links, password resets. */

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly sentAt: string;
}

const KEPT_MAILS = 200;

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
    const { to, subject, text = '', html = '' } = message;
    const mail: Mail = { to, subject, text, html, sentAt: new Date().toISOString() };
    this.#mails = [...this.#mails, mail].slice(-KEPT_MAILS);
    this.#onMail(mail);
  }
}
