/**
 * The Stripe accounts that the contract suite runs against, with the official SDK: the emulator's, and a
 * real test account when STRIPE_SECRET_KEY is set to its key.
 */
import Stripe from 'stripe';
import { openEmulator } from '../../netlify/local/provider/server.ts';
import { LocalStripe } from '../../netlify/local/stripe/stripe.ts';

export interface StripeUnderTest {
  readonly name: string;
  readonly client: Stripe;
  /** The emulator, with which a test acts for the buyer; undefined for the real Stripe. */
  readonly emulator?: LocalStripe;
  close(): Promise<void>;
}

/** Switches off the SDK's retries, because tests count requests, and its telemetry. */
const QUIET = { maxNetworkRetries: 0, telemetry: false } as const;

export async function openStripeEmulator() {
  const opened = await openEmulator((baseUrl) => new LocalStripe({ baseUrl }));
  const { hostname: host, port } = new URL(opened.url);
  const settings = { ...QUIET, host, port: Number(port), protocol: 'http' } as const;
  const client = new Stripe(opened.emulator.secretKey, settings);
  return { name: 'the emulator', client, ...opened };
}

export async function stripesUnderTest(): Promise<readonly StripeUnderTest[]> {
  const emulator = await openStripeEmulator();
  const key = process.env['STRIPE_SECRET_KEY'];
  if (!key) return [emulator];
  if (!/^(sk|rk)_test_/.test(key)) throw new Error('STRIPE_SECRET_KEY is not a test key.');
  const real = { name: 'a real test account', client: new Stripe(key, QUIET) };
  return [emulator, { ...real, close: async () => undefined }];
}

/** One scarf at $27.00 and two pairs of socks at $13.50: $54.00. */
export const BASKET = {
  mode: 'payment',
  success_url: 'https://shop.example/checkout/success?session_id={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://shop.example/checkout',
  client_reference_id: 'order-1',
  customer_email: 'ana@example.com',
  metadata: { order_id: 'order-1' },
  payment_intent_data: { metadata: { order_id: 'order-1' } },
  line_items: [line('Scarf', 2700, 1), line('Socks, size M', 1350, 2)],
} satisfies Stripe.Checkout.SessionCreateParams;

export function line(name: string, unitAmount: number, quantity: number) {
  return {
    quantity,
    price_data: { currency: 'usd', unit_amount: unitAmount, product_data: { name } },
  };
}
