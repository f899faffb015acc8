/** Loads the functions' own code from `netlify/lib`, or from a copy of it with a deliberate bug. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROJECT } from '../kit/project.ts';

/** The exports of these files together. */
export type Functions = typeof import('../../../netlify/lib/payments.ts') &
  typeof import('../../../netlify/lib/wallet-checkout.ts') &
  typeof import('../../../netlify/lib/order-status.ts') &
  typeof import('../../../netlify/lib/account.ts') &
  typeof import('../../../netlify/lib/reconcile.ts') &
  typeof import('../../../netlify/lib/missed-reversals.ts') &
  typeof import('../../../netlify/lib/webhooks.ts') &
  typeof import('../../../netlify/lib/orders.ts') &
  typeof import('../../../netlify/lib/staff.ts') &
  typeof import('../../../netlify/lib/messages.ts') &
  typeof import('../../../netlify/lib/stripe.ts') &
  typeof import('../../../netlify/lib/paypal.ts') &
  typeof import('../../../netlify/lib/database.ts') &
  typeof import('../../../netlify/lib/http.ts') &
  typeof import('../../../netlify/lib/provider.ts');

/** The files of `Functions`. */
const FILES =
  'payments wallet-checkout order-status account reconcile missed-reversals webhooks orders ' +
  'staff messages stripe paypal database http provider';

/** Imports the files of `Functions`. @param project folder that holds `netlify` and `src` */
export async function loadFunctions(project = PROJECT): Promise<Functions> {
  const lib = pathToFileURL(join(project, 'netlify/lib/'));
  const modules = FILES.split(' ').map(
    (file): Promise<object> => import(new URL(`${file}.ts`, lib).href),
  );
  return Object.assign({}, ...(await Promise.all(modules))) as Functions;
}
