/** Opens the PayPal emulator at an address of its own on loopback. */
import { listenOnLoopback } from '../provider/server.ts';
import { openStateFile } from '../provider/state-file.ts';
import type { PayPalOptions } from './paypal.ts';
import { LocalPayPal } from './paypal.ts';
import { SDK_PATH } from './sdk.ts';
import type { PayPalState } from './state.ts';

export interface OpenPayPalOptions extends Omit<PayPalOptions, 'baseUrl' | 'state' | 'onChange'> {
  /** Where to keep orders over restarts; without it they are kept in memory. */
  readonly file?: string;
}

export interface OpenPayPal {
  readonly url: string;
  /** Of the script that puts `window.paypal` in place. */
  readonly sdkUrl: string;
  readonly paypal: LocalPayPal;
  /** What the functions need to find it. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** @throws PlainFailure when the file is not one of ours */
export async function openPayPal(options: OpenPayPalOptions = {}): Promise<OpenPayPal> {
  const file = options.file === undefined ? undefined : openStateFile<PayPalState>(options.file);
  const server = await listenOnLoopback(file?.port);
  const { url } = server;
  const state = file?.load(url);
  const paypal = new LocalPayPal({
    ...options,
    baseUrl: url,
    ...(state === undefined ? {} : { state }),
    onChange: (changed) => file?.save(changed, url),
  });
  server.serve((request) => paypal.handle(request));
  return {
    url,
    sdkUrl: url + SDK_PATH,
    paypal,
    environment: {
      PAYPAL_API_URL: url,
      VITE_PAYPAL_CLIENT_ID: paypal.clientId,
      PAYPAL_CLIENT_SECRET: paypal.clientSecret,
      PAYPAL_WEBHOOK_ID: paypal.webhookId,
    },
    async close() {
      paypal.webhooks.close();
      await server.close();
    },
  };
}
