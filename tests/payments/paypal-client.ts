/**
 * The PayPal APIs that the contract suite runs against: the emulator, and a real sandbox account when
 * PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET are set to its keys.
 */
import { LocalPayPal } from '../../netlify/local/paypal/paypal.ts';
import { openEmulator } from '../../netlify/local/provider/server.ts';

export interface PayPalUnderTest {
  readonly name: string;
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The emulator, with which a test acts for the buyer; undefined for the real PayPal. */
  readonly emulator?: LocalPayPal;
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const SANDBOX = 'https://api-m.sandbox.paypal.com';

export async function payPalsUnderTest(): Promise<readonly PayPalUnderTest[]> {
  const opened = await openEmulator((baseUrl) => new LocalPayPal({ baseUrl }));
  const { clientId, clientSecret } = opened.emulator;
  const emulator = { name: 'the emulator', clientId, clientSecret, ...opened };
  const id = process.env['PAYPAL_CLIENT_ID'];
  const secret = process.env['PAYPAL_CLIENT_SECRET'];
  if (!id || !secret) return [emulator];
  const account = { name: 'a real sandbox account', clientId: id, clientSecret: secret };
  return [emulator, { ...account, url: SANDBOX, close: async () => undefined }];
}

/** The header `authorization` with which the shop requests a token. */
export function basic({ clientId, clientSecret }: PayPalUnderTest): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}

/** @param route method and path, such as `POST /v2/checkout/orders` */
export async function send(
  subject: PayPalUnderTest,
  route: string,
  body?: string | object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ');
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const answer = await fetch(
    new Request(subject.url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(text === undefined ? {} : { body: text }),
    }),
  );
  const json = (await answer.json()) as Record<string, unknown>;
  return { status: answer.status, body: json };
}

/** Requests an access token with the account's keys. */
export async function token(subject: PayPalUnderTest): Promise<string> {
  const answer = await send(subject, 'POST /v1/oauth2/token', 'grant_type=client_credentials', {
    authorization: basic(subject),
    'content-type': 'application/x-www-form-urlencoded',
  });
  return String(answer.body['access_token']);
}
