/**
 * Payments of this machine: emulators for the providers of which no keys are set. Where there are
 * keys, the functions talk to the provider itself, and its webhooks do not find their way here; the
 * reconcile does without them.
 */
import { join } from 'node:path';
import type { Environment } from './functions.ts';
import type { PayPalOptions } from './paypal/account.ts';
import { LocalPayPal } from './paypal/paypal.ts';
import { openEmulator } from './provider/open.ts';
import type { StripeOptions } from './stripe/account.ts';
import { LocalStripe } from './stripe/stripe.ts';

export interface LocalPayments {
  /** Undefined where the provider itself is used. */
  readonly stripe: LocalStripe | undefined;
  readonly paypal: LocalPayPal | undefined;
  /** Variables by which the functions find the emulators. */
  readonly environment: Environment;
  /** Answers a request of the shop's pages to an emulator; null for other requests. */
  answerPage(request: Request): Promise<Response> | null;
  /** Sends webhooks to the shop at this address, beginning with those that wait. */
  sendWebhooksTo(shopUrl: string): void;
  close(): Promise<void>;
}

export interface LocalPaymentsOptions {
  /** Where to keep payments over a restart; without it they are kept in memory. */
  readonly folder?: string;
  /** What the shop is configured with. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * Where a page finds the emulator of PayPal's SDK: at the shop's own address, because it knows no other.
 * The SDK then calls the emulator's own address, as PayPal's calls hosts of PayPal.
 */
const SDK_PATH = '/local/paypal/sdk.js';

/** @throws PlainFailure when what was kept cannot be read */
export async function openPayments({
  folder,
  environment: configured = {},
}: LocalPaymentsOptions = {}): Promise<LocalPayments> {
  const fileOf = (name: string) => (folder === undefined ? undefined : join(folder, name));
  const cards = configured['STRIPE_SECRET_KEY']
    ? undefined
    : await openEmulator(fileOf('stripe.json'), (kept: StripeOptions) => new LocalStripe(kept));
  // The page decides by the same name which SDK it loads.
  const wallet = configured['VITE_PAYPAL_CLIENT_ID']
    ? undefined
    : await openEmulator(
        fileOf('paypal.json'),
        (kept: PayPalOptions) => new LocalPayPal(kept),
      ).catch(async (thrown: unknown) => {
        await cards?.close();
        throw thrown;
      });
  const [stripe, paypal] = [cards?.emulator, wallet?.emulator];
  return {
    stripe,
    paypal,
    environment: { ...stripe?.environment, ...paypal?.environment },
    answerPage(request) {
      const url = new URL(request.url);
      if (!paypal || url.pathname !== SDK_PATH) return null;
      url.pathname = '/sdk.js';
      return paypal.handle(new Request(url, request));
    },
    sendWebhooksTo(shopUrl) {
      stripe?.webhooks.sendTo(`${shopUrl}/.netlify/functions/stripe-webhook`);
      paypal?.webhooks.sendTo(`${shopUrl}/.netlify/functions/paypal-webhook`);
    },
    async close() {
      await Promise.all([cards?.close(), wallet?.close()]);
    },
  };
}

/** Runs the reconcile at intervals, as Netlify's scheduler does on the web. Returns what ends it. */
export function reconcileEvery(
  ms: number,
  shopUrl: string,
  log: (line: string) => void,
): () => void {
  const url = `${shopUrl}/.netlify/functions/reconcile`;
  const timer = setInterval(() => {
    fetch(url, { method: 'POST', signal: AbortSignal.timeout(ms) })
      .then((answer) => answer.body?.cancel())
      .catch((thrown: unknown) => log(`The reconcile did not run: ${String(thrown)}`));
  }, ms).unref();
  return () => clearInterval(timer);
}
