/**
 * The ports: what the payment code is given to reach everything outside it, which is database, providers,
 * settings, time and log. Tests and the simulator (tests/model) give it others.
 */
import { setTimeout } from 'node:timers/promises';
import type Stripe from 'stripe';
import { removeAccount } from './auth.ts';
import { callDatabase } from './database.ts';
import {
  backendSettings,
  NotConfigured,
  type PaymentMode,
  paypalSettings,
  retentionDays,
  siteUrl,
  stripeSettings,
} from './env.ts';
import { type CallDatabase, ordersIn } from './orders.ts';
import { openPayPal, type PayPalClient } from './paypal.ts';
import type { Provider, RequestOptions } from './provider.ts';
import { openStripe } from './stripe.ts';

export interface Ports {
  /** Calls a function of the database. */
  readonly call: CallDatabase;
  /** The client for Stripe. @throws NotConfigured without keys */
  readonly cards: () => { readonly stripe: Stripe; readonly mode: PaymentMode };
  /** The client for PayPal. @throws NotConfigured without keys */
  readonly wallet: () => PayPalClient;
  /** The shop's own address, without a slash at its end. */
  readonly siteUrl: () => string;
  /** As `retentionDays` in `env.ts`. */
  readonly retentionDays: () => number | null;
  /** Deletes an account at the auth service; succeeds where it is gone already. */
  readonly removeAccount: (userId: string) => Promise<void>;
  readonly now: () => Date;
  /** Waits while another request does the same thing. */
  readonly pause: (ms: number) => Promise<void>;
  /** Writes a line to the log, which the shop's staff reads. */
  readonly log: (line: string) => void;
}

/** Whether the shop has keys with which a provider can be asked. */
export function hasKeys(ports: Ports, provider: Provider): boolean {
  try {
    if (provider === 'stripe') ports.cards();
    else ports.wallet();
    return true;
  } catch (thrown) {
    if (thrown instanceof NotConfigured) return false;
    throw thrown;
  }
}

/** The database's functions for orders, called through these ports. */
export const ordersOf = ({ call, now }: Ports) => ordersIn(call, now);

/** PayPal clients by their settings. They outlive a request, because each holds an access token. */
const payPalClients = new Map<string, PayPalClient>();

/** The ports that call the configured services. A port throws NotConfigured where a variable of its service is missing. */
export function netlifyPorts(options: RequestOptions = {}): Ports {
  return {
    call: (name, args) => callDatabase(backendSettings(), name, args),
    cards: () => {
      const settings = stripeSettings();
      return { stripe: openStripe(settings, options), mode: settings.mode };
    },
    wallet: () => {
      const settings = paypalSettings();
      const key = JSON.stringify([settings, options]);
      const client = payPalClients.get(key) ?? openPayPal(settings, options);
      payPalClients.set(key, client);
      return client;
    },
    siteUrl: () => siteUrl(),
    retentionDays: () => retentionDays(),
    removeAccount: (userId) => removeAccount(backendSettings(), userId),
    now: () => new Date(),
    pause: (ms) => setTimeout(ms),
    log: (line) => console.error(line),
  };
}
