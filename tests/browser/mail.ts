import type { Backend } from '../../supabase/local/backend.ts';

/** The link in the newest mail to an address; waits until `mailsSent` mails have been sent to it. */
export async function linkInMail(
  backend: Pick<Backend, 'mails'>,
  to: string,
  { mailsSent = 1 }: { readonly mailsSent?: number } = {},
): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const mails = backend.mails.filter((mail) => mail.to === to);
    const link = /https?:\/\/\S+/.exec(mails.at(-1)?.text ?? '')?.[0];
    if (mails.length >= mailsSent && link !== undefined) return link;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`no mail with a link has come for ${to}`);
}
