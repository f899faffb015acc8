/**
 * Opens an emulator for each payment provider without keys. Where there are keys, the functions talk to the
 * provider itself. Its webhooks cannot reach this machine: the shop learns of payments when a page or the
 * reconcile asks.
 */
import { join } from 'node:path';
import type { Environment } from './functions.ts';
import type { PayPalEmulatorOptions } from './paypal/account.ts';
import { LocalPayPal } from './paypal/paypal.ts';
import { openEmulator } from './provider/open.ts';
import type { StripeEmulatorOptions } from './stripe/account.ts';
import { LocalStripe } from './stripe/stripe.ts';

export interface LocalPayments {
  /** Like `paypal`, undefined where the provider itself is used. */
  readonly stripe: LocalStripe | undefined;
  readonly paypal: LocalPayPal | undefined;
  /** Variables by which the functions find the emulators. */
  readonly environment: Environment;
  /** Answers a request of the shop's pages to an emulator; null for other requests. */
  answerPage(request: Request): Promise<Response> | null;
  /** Sends webhooks to the shop at this address from now on, and first those that are waiting. */
  sendWebhooksTo(shopUrl: string): void;
  close(): Promise<void>;
}

export interface LocalPaymentsOptions {
  /** Where to keep payments over a restart; without it they are kept in memory. */
  readonly folder?: string;
  /** The shop's configuration: providers with keys in it get no emulator. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * The path of the emulator of PayPal's SDK. It is on the shop's own origin, the only one that the page
 * knows; the SDK then calls the emulator's own address.
 */
const SDK_PATH = '/local/paypal/sdk.js';

/** @throws PlainFailure when the stored state of an emulator cannot be read */
export async function openPayments({
  folder,
  environment: configured = {},
}: LocalPaymentsOptions = {}): Promise<LocalPayments> {
  const fileOf = (name: string) => (folder === undefined ? undefined : join(folder, name));
  const cards = configured['STRIPE_SECRET_KEY']
    ? undefined
    : await openEmulator(
        fileOf('stripe.json'),
        (options: StripeEmulatorOptions) => new LocalStripe(options),
      );
  // The page reads the same variable to decide which SDK it loads.
  const wallet = configured['VITE_PAYPAL_CLIENT_ID']
    ? undefined
    : await openEmulator(
        fileOf('paypal.json'),
        (options: PayPalEmulatorOptions) => new LocalPayPal(options),
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

/** Calls the scheduled functions at intervals, as Netlify's scheduler does. Returns a function that ends this. */
export function runScheduled(
  intervalMs: number,
  shopUrl: string,
  log: (line: string) => void,
): () => void {
  const timer = setInterval(() => {
    for (const name of ['reconcile', 'messages', 'upkeep']) {
      const signal = AbortSignal.timeout(intervalMs);
      fetch(`${shopUrl}/.netlify/functions/${name}`, { method: 'POST', signal })
        .then((answer) => answer.body?.cancel())
        .catch((thrown: unknown) => log(`${name} did not run: ${String(thrown)}`));
    }
  }, intervalMs).unref();
  return () => clearInterval(timer);
}
