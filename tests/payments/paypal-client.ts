/**
 * PayPal as the contract suite sees it: plain fetch against the emulator, and against a real sandbox
 * account when PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET are those of one.
 */
import type { PayPalOptions } from '../../netlify/local/paypal/account.ts';
import { LocalPayPal } from '../../netlify/local/paypal/paypal.ts';
import { openEmulator } from '../../netlify/local/provider/open.ts';

export type Fetch = (request: Request) => Promise<Response>;

export interface PayPalUnderTest {
  readonly name: string;
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly fetch: Fetch;
  /** The emulator, where the buyer can be played; undefined for the real one. */
  readonly emulator?: LocalPayPal;
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

const SANDBOX = 'https://api-m.sandbox.paypal.com';

/** @param file where it keeps its state over restarts */
export async function openPayPalEmulator(
  options: PayPalOptions = {},
  file?: string,
): Promise<PayPalUnderTest & { readonly emulator: LocalPayPal }> {
  const opened = await openEmulator(
    file,
    (kept: PayPalOptions) => new LocalPayPal({ ...options, ...kept }),
  );
  const { clientId, clientSecret } = opened.emulator;
  return { name: 'the emulator', clientId, clientSecret, fetch, ...opened };
}

export function payPalInProcess(paypal: LocalPayPal): PayPalUnderTest {
  return {
    name: 'the emulator in this process',
    url: 'http://127.0.0.1',
    clientId: paypal.clientId,
    clientSecret: paypal.clientSecret,
    fetch: (request) => paypal.handle(request),
    emulator: paypal,
    close: async () => undefined,
  };
}

export async function payPalsUnderTest(): Promise<readonly PayPalUnderTest[]> {
  const emulator = await openPayPalEmulator();
  const clientId = process.env['PAYPAL_CLIENT_ID'];
  const clientSecret = process.env['PAYPAL_CLIENT_SECRET'];
  if (!clientId || !clientSecret) return [emulator];
  const close = async () => undefined;
  const name = 'a real sandbox account';
  return [emulator, { name, url: SANDBOX, clientId, clientSecret, fetch, close }];
}

export function basic({ clientId, clientSecret }: PayPalUnderTest): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}

export async function send(
  subject: PayPalUnderTest,
  route: string,
  body?: string | object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ');
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const answer = await subject.fetch(
    new Request(subject.url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(text === undefined ? {} : { body: text }),
    }),
  );
  const json = (await answer.json()) as Record<string, unknown>;
  return { status: answer.status, headers: answer.headers, body: json };
}

export async function token(subject: PayPalUnderTest): Promise<string> {
  const answer = await send(subject, 'POST /v1/oauth2/token', 'grant_type=client_credentials', {
    authorization: basic(subject),
    'content-type': 'application/x-www-form-urlencoded',
  });
  return String(answer.body['access_token']);
}

/** One scarf at $27.00 and two pairs of socks at $13.50: $54.00, to an address in Oregon. */
export function orderBody(reference: string = crypto.randomUUID()) {
  return {
    intent: 'CAPTURE',
    purchase_units: [
      {
        reference_id: 'default',
        custom_id: reference,
        invoice_id: reference,
        amount: { ...usd('54.00'), breakdown: { item_total: usd('54.00') } },
        items: [
          { name: 'Scarf', quantity: '1', unit_amount: usd('27.00'), category: 'PHYSICAL_GOODS' },
          { name: 'Socks', quantity: '2', unit_amount: usd('13.50'), category: 'PHYSICAL_GOODS' },
        ],
        shipping: {
          type: 'SHIPPING',
          name: { full_name: 'Ana Berg' },
          address: {
            address_line_1: '12 Alder Street',
            admin_area_2: 'Portland',
            admin_area_1: 'OR',
            postal_code: '97205',
            country_code: 'US',
          },
        },
      },
    ],
    payment_source: {
      paypal: {
        experience_context: {
          brand_name: 'Weft',
          shipping_preference: 'SET_PROVIDED_ADDRESS',
          user_action: 'PAY_NOW',
          return_url: 'https://shop.example/checkout/success',
          cancel_url: 'https://shop.example/checkout',
        },
      },
    },
  };
}

export function usd(value: string) {
  return { currency_code: 'USD', value };
}
