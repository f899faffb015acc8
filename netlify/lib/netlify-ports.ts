/** The ports that the functions use on Netlify: real time, real providers, Netlify's variables. */
import { setTimeout } from 'node:timers/promises';
import { callDatabase } from './database.ts';
import type { ReadVariable } from './env.ts';
import {
  backendSettings,
  netlifyVariable,
  paypalSettings,
  retentionDays,
  siteUrl,
  stripeSettings,
} from './env.ts';
import type { Ports } from './payments.ts';
import { openPayPal, type PayPal } from './paypal.ts';
import { openStripe } from './stripe.ts';

/** PayPal clients by their settings, kept over the requests of this instance for their access tokens. */
const wallets = new Map<string, PayPal>();

/** The ports that call the configured services; `read` reads the configuration. */
export function netlifyPorts(read: ReadVariable = netlifyVariable): Ports {
  return {
    call: (name, args) => callDatabase(backendSettings(read), name, args),
    cards: () => {
      const settings = stripeSettings(read);
      return { stripe: openStripe(settings), mode: settings.mode };
    },
    wallet: () => {
      const settings = paypalSettings(read);
      const key = JSON.stringify(settings);
      const wallet = wallets.get(key) ?? openPayPal(settings);
      wallets.set(key, wallet);
      return wallet;
    },
    siteUrl: () => siteUrl(read),
    retentionDays: () => retentionDays(read),
    now: () => new Date(),
    pause: (ms) => setTimeout(ms),
    log: (line) => console.error(line),
  };
}
