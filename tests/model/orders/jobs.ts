/** What functions are asked to do, as plain data, and doing it with the functions' own code. */
import type { Fields } from '../../../netlify/lib/http.ts';
import { KEYS, type ProviderName, type Sent } from './providers.ts';
import { checkToken, type Outside, portsOf } from './ports.ts';
import type { Run } from './run.ts';

export type Job =
  /** A press of Pay. `fields` are what the page sends. */
  | { readonly kind: 'card' | 'wallet'; readonly tab: number; readonly fields: Fields }
  | { readonly kind: 'capture'; readonly tab: number; readonly wallet: string }
  | { readonly kind: 'cancel'; readonly tab: number; readonly order: string }
  | { readonly kind: 'delete'; readonly tab: number }
  | {
      readonly kind: 'status';
      readonly tab: number;
      readonly order: string | null;
      readonly session: string | null;
    }
  | { readonly kind: 'message'; readonly from: ProviderName; readonly sent: Sent }
  | { readonly kind: 'reconcile' }
  /** The people of the shop look for what a restore has lost. */
  | { readonly kind: 'after-restore'; readonly sinceMs: number };

export interface Caller {
  readonly id: string;
  /** Whether the auth server is asked, which is one more place to die at. */
  readonly isChecked: boolean;
}

/** The functions of `netlify/functions` are this and their HTTP. */
export function workOf(job: Job, caller: Caller, outside: Outside) {
  const { functions } = outside;
  return async (run: Run): Promise<unknown> => {
    const ports = portsOf(run, outside);
    if ('tab' in job && caller.isChecked) await checkToken(run, outside);
    switch (job.kind) {
      case 'card':
      case 'wallet': {
        const isCard = job.kind === 'card';
        const person = { id: caller.id, email: 'ada@weft.test', role: null };
        const items = job.fields[isCard ? 'items' : 'cartItems'];
        const request = functions.readOrderRequest(job.fields, items, person);
        return isCard
          ? functions.createCheckout(ports, request)
          : functions.createWalletOrder(ports, request);
      }
      case 'capture':
        return functions.captureWalletOrder(ports, caller.id, job.wallet);
      case 'cancel':
        return functions.cancelOrder(ports, caller.id, job.order);
      case 'delete':
        return functions.deleteAccount({ ...ports, removeAccount }, caller.id);
      case 'status':
        return functions.orderStatus(ports, caller.id, {
          orderId: job.order,
          sessionId: job.session,
        });
      case 'message': {
        const headers = new Headers({ ...job.sent.headers });
        return job.from === 'stripe'
          ? functions.takeStripeWebhook(ports, headers, job.sent.body, KEYS.stripeHook)
          : functions.takePayPalWebhook(ports, headers, job.sent.body, KEYS.paypalHook);
      }
      case 'reconcile':
        return functions.reconcile(ports);
      case 'after-restore':
        return functions.findForgottenPayments(ports, new Date(job.sinceMs));
    }
  };
}

/** The database may remove accounts itself here, so nobody else is asked. */
function removeAccount(userId: string): Promise<void> {
  return Promise.reject(new Error(`the database has left ${userId} to the auth service`));
}

export function nameOf(job: Job): string {
  switch (job.kind) {
    case 'card':
    case 'wallet':
      return `${job.kind} by tab ${job.tab}`;
    case 'capture':
      return `capture of ${job.wallet}`;
    case 'cancel':
      return `cancelling for tab ${job.tab}`;
    case 'delete':
      return `deletion of the account by tab ${job.tab}`;
    case 'status':
      return `status for tab ${job.tab}`;
    case 'message':
      return `${job.from} webhook`;
    case 'reconcile':
      return 'reconcile';
    case 'after-restore':
      return 'after_restore';
  }
}
