/**
 * The ports of the functions on Netlify. Ports are what the payment code is given to reach everything
 * outside it: database, providers, settings, time and log (`payments.ts`); tests give it others.
 */
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
import { openPayPal, type PayPalClient } from './paypal.ts';
import { removeAccount } from './people.ts';
import type { RequestOptions } from './provider.ts';
import { openStripe } from './stripe.ts';

/** PayPal clients by their settings. They outlive a request, because each holds an access token. */
const payPalClients = new Map<string, PayPalClient>();

/**
 * The ports that call the configured services.
 *
 * @param read reads a variable of the configuration. A port throws NotConfigured where a variable is missing.
 */
export function netlifyPorts(
  read: ReadVariable = netlifyVariable,
  options: RequestOptions = {},
): Ports {
  return {
    call: (name, args) => callDatabase(backendSettings(read), name, args),
    cards: () => {
      const settings = stripeSettings(read);
      return { stripe: openStripe(settings, options), mode: settings.mode };
    },
    wallet: () => {
      const settings = paypalSettings(read);
      const key = JSON.stringify([settings, options]);
      const client = payPalClients.get(key) ?? openPayPal(settings, options);
      payPalClients.set(key, client);
      return client;
    },
    siteUrl: () => siteUrl(read),
    retentionDays: () => retentionDays(read),
    removeAccount: (userId) => removeAccount(backendSettings(read), userId, options.timeoutMs),
    now: () => new Date(),
    pause: (ms) => setTimeout(ms),
    log: (line) => console.error(line),
  };
}
