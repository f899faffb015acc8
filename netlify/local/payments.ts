/**
 * Payments of this machine: emulators for the providers of which no keys are set. Where there are
 * keys, the functions talk to the provider itself, and its webhooks do not find their way here; the
 * reconcile does without them.
 */
import { join } from 'node:path';
import type { Environment } from './functions.ts';
import type { OpenPayPal } from './paypal/open.ts';
import { openPayPal } from './paypal/open.ts';
import type { OpenStripe } from './stripe/open.ts';
import { openStripe } from './stripe/open.ts';

export interface LocalPayments {
  /** Undefined where the provider itself is used. */
  readonly stripe: OpenStripe['stripe'] | undefined;
  readonly paypal: OpenPayPal['paypal'] | undefined;
  /** Variables by which the functions find the emulators. */
  readonly environment: Environment;
  /** Answers what a page of the shop asks of an emulator; null for what it does not ask there. */
  answerPage(request: Request): Promise<Response> | null;
  /** Sends webhooks to the shop at this address, beginning with those that wait. */
  tell(shopUrl: string): void;
  close(): Promise<void>;
}

export interface LocalPaymentsOptions {
  /** Where to keep payments over a restart; without it they are kept in memory. */
  readonly folder?: string;
  /** What the shop is configured with. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * Where a page finds what stands in for PayPal's SDK, and that its API: at the shop's own address,
 * because the page's headers let it go nowhere else but to PayPal.
 */
const PAYPAL_PATH = '/local/paypal';

/** @throws PlainFailure when what was kept cannot be read */
export async function openPayments({
  folder,
  environment: configured = {},
}: LocalPaymentsOptions = {}): Promise<LocalPayments> {
  const kept = (name: string) => (folder === undefined ? {} : { file: join(folder, name) });
  const cards = configured['STRIPE_SECRET_KEY'] ? null : await openStripe(kept('stripe.json'));
  // The page decides by the same name which SDK it loads.
  const wallet = configured['VITE_PAYPAL_CLIENT_ID']
    ? null
    : await openPayPal({ ...kept('paypal.json'), sdkApiUrl: PAYPAL_PATH }).catch(
        async (thrown: unknown) => {
          await cards?.close();
          throw thrown;
        },
      );
  const environment = {
    ...cards?.environment,
    ...wallet?.environment,
    ...(wallet && { PAYPAL_ENVIRONMENT: 'sandbox' }),
  };
  return {
    stripe: cards?.stripe,
    paypal: wallet?.paypal,
    environment,
    answerPage(request) {
      const url = new URL(request.url);
      if (!wallet || !url.pathname.startsWith(`${PAYPAL_PATH}/`)) return null;
      url.pathname = url.pathname.slice(PAYPAL_PATH.length);
      return wallet.paypal.handle(new Request(url, request));
    },
    tell(shopUrl) {
      cards?.stripe.webhooks.sendTo(`${shopUrl}/.netlify/functions/stripe-webhook`);
      wallet?.paypal.webhooks.sendTo(`${shopUrl}/.netlify/functions/paypal-webhook`);
    },
    async close() {
      await Promise.all([cards?.close(), wallet?.close()]);
    },
  };
}

/** What Netlify's clock does for a shop on the web. Returns what ends it. */
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
