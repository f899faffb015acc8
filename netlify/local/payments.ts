/**
 * Opens an emulator for each payment provider without keys. Where there are keys, the functions talk to the
 * provider itself. Its webhooks cannot reach this machine: the shop learns of payments when a page or the
 * reconcile asks.
 */
import type { Backend } from '../../supabase/local/backend.ts';
import type { Environment } from './functions.ts';
import { LocalPayPal } from './paypal/paypal.ts';
import { openEmulator } from './provider/server.ts';
import { LocalStripe } from './stripe/stripe.ts';

export interface LocalPayments {
  /** Like `paypal`, undefined where the provider itself is used. */
  readonly stripe: LocalStripe | undefined;
  readonly paypal: LocalPayPal | undefined;
  /** Variables by which the functions find the emulators. */
  readonly environment: Environment;
  /** Answers a request of the shop's pages to an emulator; null for other requests. */
  answerPage(request: Request): Promise<Response> | null;
  /** Sends webhooks to the shop at this address from now on. */
  sendWebhooksTo(shopUrl: string): void;
  close(): Promise<void>;
}

/**
 * The path of the emulator of PayPal's SDK. It is on the shop's own origin, the only one that the page
 * knows; the SDK then calls the emulator's own address.
 */
const SDK_PATH = '/local/paypal/sdk.js';

/** @param configured the shop's configuration: providers with keys in it get no emulator */
export async function openPayments(
  configured: Readonly<Record<string, string | undefined>> = {},
): Promise<LocalPayments> {
  const cards = configured['STRIPE_SECRET_KEY']
    ? undefined
    : await openEmulator((baseUrl) => new LocalStripe({ baseUrl }));
  // The page reads the same variable to decide which SDK it loads.
  const wallet = configured['VITE_PAYPAL_CLIENT_ID']
    ? undefined
    : await openEmulator((baseUrl) => new LocalPayPal({ baseUrl }));
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

/**
 * Ends the attempts to pay of earlier starts, of which the emulators know nothing. Their orders can be paid anew; an
 * order whose payment was pending has failed.
 */
export async function endForgottenAttempts(
  { query }: Pick<Backend, 'query'>,
  { stripe, paypal }: LocalPayments,
): Promise<void> {
  const providers = [...(stripe ? ['stripe'] : []), ...(paypal ? ['paypal'] : [])];
  await query(
    `select public.apply_payment(provider, 'restart:' || reference, reference,
       case state when 'processing' then 'failed' else 'expired' end,
       null, null, null, null, null, now())
     from public.payment_attempts
     where state in ('open', 'capturing', 'processing') and provider = any ($1)`,
    [providers],
  );
}

/** Calls the scheduled functions at intervals, as Netlify's scheduler does. Returns a function that ends this. */
export function runScheduled(
  intervalMs: number,
  shopUrl: string,
  log: (line: string) => void,
): () => void {
  const run = (name: string) => {
    const signal = AbortSignal.timeout(intervalMs);
    fetch(`${shopUrl}/.netlify/functions/${name}`, { method: 'POST', signal })
      .then((answer) => answer.body?.cancel())
      .catch((thrown: unknown) => log(`${name} did not run: ${String(thrown)}`));
  };
  // From its first run on, mails about orders are queued.
  run('messages');
  const timer = setInterval(() => ['reconcile', 'messages', 'upkeep'].forEach(run), intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
