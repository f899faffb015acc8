/** Loads the functions' own code from `netlify/lib`, or from a copy of it with a deliberate bug. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PROJECT = join(import.meta.dirname, '../..');

export type Functions = Awaited<ReturnType<typeof loadFunctions>>;

/** @param project folder that holds `netlify` and `src` */
export async function loadFunctions(project = PROJECT) {
  const load = (file: string): Promise<unknown> =>
    import(pathToFileURL(join(project, 'netlify/lib', file)).href);
  // The files are what they are in `netlify/lib`, but for a bug.
  const card = (await load(
    'card-checkout.ts',
  )) as typeof import('../../netlify/lib/card-checkout.ts');
  const wallet = (await load(
    'wallet-checkout.ts',
  )) as typeof import('../../netlify/lib/wallet-checkout.ts');
  const status = (await load(
    'order-status.ts',
  )) as typeof import('../../netlify/lib/order-status.ts');
  const reconcile = (await load('reconcile.ts')) as typeof import('../../netlify/lib/reconcile.ts');
  const restored = (await load(
    'after-restore.ts',
  )) as typeof import('../../netlify/lib/after-restore.ts');
  const webhooks = (await load('webhooks.ts')) as typeof import('../../netlify/lib/webhooks.ts');
  const request = (await load(
    'order-request.ts',
  )) as typeof import('../../netlify/lib/order-request.ts');
  const stripe = (await load('stripe.ts')) as typeof import('../../netlify/lib/stripe.ts');
  const paypal = (await load('paypal.ts')) as typeof import('../../netlify/lib/paypal.ts');
  const database = (await load('database.ts')) as typeof import('../../netlify/lib/database.ts');
  const http = (await load('http.ts')) as typeof import('../../netlify/lib/http.ts');
  const provider = (await load('provider.ts')) as typeof import('../../netlify/lib/provider.ts');
  return {
    ...card,
    ...wallet,
    ...status,
    ...reconcile,
    ...restored,
    ...webhooks,
    ...request,
    ...stripe,
    ...paypal,
    ...database,
    ...http,
    ...provider,
  };
}
