/** Jobs of the server functions as plain data, and the functions' own code that does each job. */
import type { Fields } from '../../../src/domain/fields.ts';
import { KEYS, type PlainRequest, type ProviderName } from './providers.ts';
import { checkToken, type Outside, portsFor } from './ports.ts';
import type { Run } from './run.ts';
import { mailPort, staffFields, type StaffJob } from './staff.ts';

/** What a function is asked to do. `tab` is the index of the tab whose page asks, in `Facts.tabs`. */
export type Job =
  /** The shopper presses Pay. `fields` are the fields of the page's request. */
  | { readonly kind: 'card' | 'paypal'; readonly tab: number; readonly fields: Fields }
  | { readonly kind: 'capture'; readonly tab: number; readonly paypalOrder: string }
  | { readonly kind: 'delete'; readonly tab: number }
  | {
      readonly kind: 'status';
      readonly tab: number;
      readonly order: string | null;
      readonly session: string | null;
    }
  | { readonly kind: 'webhook'; readonly from: ProviderName; readonly request: PlainRequest }
  | { readonly kind: 'reconcile' }
  | StaffJob
  /** The part of the function `messages` that mails. */
  | { readonly kind: 'mails' }
  /** The daily read of a provider's list of refunds and disputes. */
  | { readonly kind: 'list'; readonly from: ProviderName };

/** Returns the work of a function of `netlify/functions` for a job, without reading and writing HTTP. */
export function taskOf(job: Job, outside: Outside) {
  const { functions, database } = outside;
  return async (run: Run): Promise<unknown> => {
    const ports = portsFor(run, outside);
    if ('tab' in job) await checkToken(run, outside);
    switch (job.kind) {
      case 'card':
      case 'paypal': {
        const isCard = job.kind === 'card';
        const shopper = { id: database.user, email: 'ada@weft.test', role: null };
        const items = job.fields[isCard ? 'items' : 'cartItems'];
        const request = functions.readOrderRequest(job.fields, items, shopper);
        return isCard
          ? functions.createCheckout(ports, request)
          : functions.createWalletOrder(ports, request);
      }
      case 'capture':
        return functions.captureWalletOrder(ports, database.user, job.paypalOrder);
      case 'delete':
        return functions.deleteAccount(ports, database.user);
      case 'status':
        return functions.orderStatus(ports, database.user, {
          orderId: job.order,
          sessionId: job.session,
        });
      case 'webhook': {
        const { headers: plainHeaders, body } = job.request;
        const headers = new Headers({ ...plainHeaders });
        return job.from === 'stripe'
          ? functions.takeStripeWebhook(ports, headers, body, KEYS.stripeHook)
          : functions.takePayPalWebhook(ports, headers, body, KEYS.paypalHook);
      }
      case 'reconcile':
        return functions.reconcile(ports);
      case 'list':
        return functions.readMissedReversals(ports, job.from);
      case 'staff': {
        const staff = { id: database.user, email: 'pat@weft.test', role: 'staff' };
        return functions.changeAsAsked(ports, staff, staffFields(job));
      }
      case 'mails':
        return functions.sendMessages(ports, mailPort(run, outside.mail), 'mail');
    }
  };
}

/** The name of a job in the log of a schedule. */
export function jobName(job: Job): string {
  switch (job.kind) {
    case 'card':
    case 'paypal':
      return `${job.kind} by tab ${job.tab}`;
    case 'capture':
      return `capture of ${job.paypalOrder}`;
    case 'delete':
      return `deletion of the account by tab ${job.tab}`;
    case 'status':
      return `status for tab ${job.tab}`;
    case 'webhook':
      return `${job.from} webhook`;
    case 'reconcile':
    case 'mails':
      return job.kind;
    case 'staff':
      return `staff ${job.change}`;
    case 'list':
      return `list of ${job.from}`;
  }
}
