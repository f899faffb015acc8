import type { Cdn } from '../../netlify/local/cdn.ts';
import type { LocalPayments } from '../../netlify/local/payments.ts';
import { SITE_FOLDER } from '../build-once.ts';
import { openTestShop, type TestShop } from '../supabase/shop.ts';
import { type Line, NO_SHOP_YET, openLine } from './proxy.ts';

/** A shop with its payment emulators, behind a line that a test can cut. */
export interface PayingShop {
  readonly shop: TestShop;
  /** The shop is configured with the address of this line. */
  readonly line: Line;
  readonly stripe: NonNullable<LocalPayments['stripe']>;
  readonly paypal: NonNullable<LocalPayments['paypal']>;
  close(): Promise<void>;
}

/**
 * @param siteFolder the built site
 * @param cdn see `TestShopOptions`
 */
export async function openPayingShop(siteFolder = SITE_FOLDER, cdn?: Cdn): Promise<PayingShop> {
  // The shop needs its public address when it starts. That is the line's, so the line opens first.
  const line = await openLine(NO_SHOP_YET);
  const environment = { URL: line.url };
  const shop = await openTestShop({
    siteFolder,
    payments: true,
    mail: true,
    environment,
    ...(cdn && { cdn }),
  });
  line.leadTo(shop.url);
  const { stripe, paypal } = shop.payments ?? {};
  if (!stripe || !paypal) throw new Error('the shop has no emulators for payments');
  const close = async () => {
    await shop.close();
    await line.close();
  };
  return { shop, line, stripe, paypal, close };
}
