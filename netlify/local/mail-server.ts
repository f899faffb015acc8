/**
 * The mail server of this machine: takes the mails of the shop by SMTP (RFC 5321), and gives their texts to
 * `/local/mail`. It sends nothing anywhere.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Mail } from '../../supabase/local/mailbox.ts';
import type { Environment } from './functions.ts';

type ReceivedMail = Pick<Mail, 'to' | 'subject' | 'text'>;
type OnMail = (mail: ReceivedMail) => void | Promise<void>;
/** For tests: another answer to a command (`.` ends a mail); null for none, undefined for the usual one. */
type Misbehave = (command: string) => string | null | undefined;

export interface MailServer {
  /** Variables by which the functions find it. */
  readonly environment: Environment;
  close(): Promise<void>;
}

const ANSWERS: Readonly<Record<string, string>> = { DATA: '354 go on', QUIT: '221 bye' };

/** @param onMail called with each mail that is taken */
export async function openMailServer(
  onMail: OnMail,
  misbehave: Misbehave = () => undefined,
): Promise<MailServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // The other side went away.
    socket.on('error', () => socket.destroy());
    void converse(socket, onMail, misbehave);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    environment: { SMTP_HOST: '127.0.0.1', SMTP_PORT: String(port), SMTP_FROM: 'shop@weft.test' },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function converse(socket: Socket, onMail: OnMail, misbehave: Misbehave): Promise<void> {
  let to = '';
  /** The lines of the mail that is arriving; null between mails. */
  let mail: string[] | null = null;
  /** Answers a command. Returns the answer, or null for none. */
  const say = (command: string, usual: string): string | null => {
    const other = misbehave(command);
    const answer = other === undefined ? usual : other;
    if (answer !== null) socket.write(`${answer}\r\n`);
    return answer;
  };
  say('', '220 weft.test');
  for await (const line of createInterface({ input: socket })) {
    if (mail !== null && line !== '.') {
      mail.push(line.replace(/^\./, ''));
    } else if (mail !== null) {
      const received = { to, ...parsed(mail) };
      mail = null;
      const answer = say('.', '250 taken');
      // A mail whose answer is lost was taken, too.
      if (answer === null || answer.startsWith('2')) await onMail(received);
    } else {
      const command = line.slice(0, 4).toUpperCase();
      if (command === 'RCPT') to = /<([^>]*)>/.exec(line)?.[1] ?? '';
      const answer = say(command, ANSWERS[command] ?? '250 ok');
      if (command === 'DATA' && answer?.startsWith('3')) mail = [];
      if (command === 'QUIT') socket.end();
    }
  }
}

/** The subject and the plain text of a mail as nodemailer writes it, the text quoted-printable (RFC 2045). */
function parsed(lines: readonly string[]): Pick<Mail, 'subject' | 'text'> {
  const source = lines.join('\n');
  const [, head = '', quoted = ''] =
    /^(Content-Type: text\/plain[^]*?)\n\n([^]*?)\n--/m.exec(source) ?? [];
  const bytes = quoted
    .replaceAll('=\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  const text = head.includes('quoted-printable') ? Buffer.from(bytes, 'latin1').toString() : quoted;
  return { subject: /^Subject: (.*)$/m.exec(source)?.[1] ?? '', text: text.trim() };
}
