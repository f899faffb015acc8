/** A shop for all tests of a file, and phones that are closed after the test that opened them. */
import { afterEach } from 'vitest';
import { openShopForFile } from '../supabase/shop-for-file.ts';
import { type Network, openPhone, type Phone, type PhoneOptions } from './phone.ts';

/** The account of the phones' shopper. */
export const ADA = { email: 'ada@weft.test', password: 'secret-1' };

/** Networks over which the auth service cannot be reached. */
export const BROKEN_NETWORKS: readonly [string, Network][] = [
  ['no network', () => new TypeError('fetch failed')],
  ['a captive portal', () => new Response('<html>')],
  ['an empty answer', () => Response.json({})],
];

/** Opens a shop with Ada's account, whose id is `ada`. `newPhone` opens a phone. */
export async function openPhonesForFile() {
  const shop = await openShopForFile();
  const ada = await shop.backend.addAccount(ADA);
  const opened: Phone[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((phone) => phone.close()));
  });
  async function newPhone(options: PhoneOptions = {}): Promise<Phone> {
    const phone = await openPhone(shop, options);
    opened.push(phone);
    return phone;
  }
  return { shop, ada, newPhone };
}
