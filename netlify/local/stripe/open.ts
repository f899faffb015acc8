/** Opens the Stripe emulator at an address of its own on loopback. */
import { openStateFile } from '../provider/state-file.ts';
import { listenOnLoopback } from '../provider/server.ts';
import type { StripeState } from './state.ts';
import type { StripeOptions } from './stripe.ts';
import { LocalStripe } from './stripe.ts';

export interface OpenStripeOptions extends Omit<StripeOptions, 'baseUrl' | 'state' | 'onChange'> {
  /** Where to keep sessions over restarts; without it they are kept in memory. */
  readonly file?: string;
}

export interface OpenStripe {
  readonly url: string;
  readonly stripe: LocalStripe;
  /** What the functions need to find it. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const TICK_MS = 10_000;

/** @throws PlainFailure when the file is not one of ours */
export async function openStripe(options: OpenStripeOptions = {}): Promise<OpenStripe> {
  const file = options.file === undefined ? undefined : openStateFile<StripeState>(options.file);
  const server = await listenOnLoopback(file?.port);
  const { url } = server;
  const state = file?.load(url);
  const stripe = new LocalStripe({
    ...options,
    baseUrl: url,
    ...(state === undefined ? {} : { state }),
    onChange: (changed) => file?.save(changed, url),
  });
  server.serve((request) => stripe.handle(request));
  const ticking = setInterval(() => stripe.tick(), TICK_MS).unref();
  return {
    url,
    stripe,
    environment: {
      STRIPE_API_URL: url,
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    },
    async close() {
      clearInterval(ticking);
      stripe.webhooks.close();
      await server.close();
    },
  };
}
