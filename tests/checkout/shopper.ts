/** A shopper at the checkout of a whole shop, for tests in a browser. */
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { LocalPayments } from '../../netlify/local/payments.ts';
import { complaintsOf } from '../browser/browser.ts';
import { logIn } from '../browser/log-in.ts';
import { type Line, openLine } from '../browser/proxy.ts';
import { SITE_FOLDER } from '../build-once.ts';
import { openTestShop, type TestShop } from '../supabase/shop.ts';
import { stock } from '../supabase/stock.ts';

export const PASSWORD = 'loom-and-thread';

export interface PayingShop {
  readonly shop: TestShop;
  /** The way to the shop, at which it believes to be. */
  readonly line: Line;
  readonly stripe: NonNullable<LocalPayments['stripe']>;
  readonly paypal: NonNullable<LocalPayments['paypal']>;
  close(): Promise<void>;
}

export async function openPayingShop(siteFolder = SITE_FOLDER): Promise<PayingShop> {
  // Stripe leads back to the address that the shop has, so that is known first.
  const line = await openLine('http://localhost:9');
  const environment = { URL: line.url };
  const shop = await openTestShop({ siteFolder, payments: true, environment });
  line.leadTo(shop.url);
  const { stripe, paypal } = shop.payments ?? {};
  if (!stripe || !paypal) throw new Error('the shop has no emulators for payments');
  const close = async () => {
    await shop.close();
    await line.close();
  };
  return { shop, line, stripe, paypal, close };
}

export async function restock({ shop }: PayingShop): Promise<void> {
  await shop.backend.query('truncate public.products');
  await stock(shop.backend, [
    { SKC: 'A', Size: 'M', 'Category 1': 'Linen shirt', 'Retail Price': 48.5 },
    { SKC: 'B', 'Category 1': 'Sock', 'Retail Price': 9 },
    { SKC: 'C', 'Category 1': 'Scarf' },
  ]);
}

let shoppers = 0;

/** An account of its own, what it does in a page, and what the shop knows of it. */
export class Shopper {
  readonly email: string;
  readonly page: Page;
  /** What the page complained of. */
  readonly complaints: string[];
  readonly #in: PayingShop;

  private constructor(home: PayingShop, page: Page, email: string) {
    this.#in = home;
    this.page = page;
    this.email = email;
    this.complaints = complaintsOf(page);
  }

  static async come(home: PayingShop, context: BrowserContext): Promise<Shopper> {
    shoppers += 1;
    const email = `shopper-${shoppers}@weft.test`;
    await home.shop.backend.addAccount({ email, password: PASSWORD });
    return new Shopper(home, await context.newPage(), email);
  }

  /** The same person, with another page or another device. */
  async also(context: BrowserContext): Promise<Shopper> {
    return new Shopper(this.#in, await context.newPage(), this.email);
  }

  async goto(path: string): Promise<void> {
    await this.page.goto(this.#in.line.url + path);
  }

  async logIn(): Promise<void> {
    await logIn(this.page, this.#in.line.url, this.email, PASSWORD);
  }

  /** How many pieces the header says are in the cart. */
  async count(): Promise<number> {
    const link = this.page.getByRole('banner').getByRole('link', { name: /^Cart/ });
    return Number(/\d+/.exec((await link.textContent()) ?? '')?.[0] ?? 0);
  }

  async add(name: string): Promise<void> {
    const count = await this.count();
    await this.page.getByRole('button', { name: `Add to Cart: ${name}` }).click();
    await expect.poll(() => this.count()).toBe(count + 1);
  }

  async fillAddress(): Promise<void> {
    const { page } = this;
    await page.getByLabel('Full name').fill('Ada Weaver');
    await page.getByLabel('Address', { exact: true }).fill('1 Mill Lane');
    await page.getByLabel('City').fill('Chicago');
    await page.getByLabel('State').fill('il');
    await page.getByLabel('ZIP code').fill('60614');
  }

  /** Signs in, puts these into the cart, goes to the checkout and types the address. */
  async readyToPay(...names: readonly string[]): Promise<void> {
    await this.logIn();
    for (const name of names.length > 0 ? names : ['Linen shirt, size M']) await this.add(name);
    await this.goto('/checkout');
    await this.fillAddress();
  }

  get payButton() {
    return this.page.getByRole('button', { name: /^Pay \$/ });
  }

  async choosePayPal(): Promise<void> {
    await this.page.getByLabel('Pay with PayPal').check();
    await this.page.getByRole('button', { name: /^Pay \$.* with PayPal$/ }).waitFor();
  }

  /** A button of the page where it is paid. */
  provider(name: string) {
    return this.page.getByRole('button', { name, exact: true });
  }

  heading(name: string) {
    return this.page.getByRole('heading', { level: 1, name });
  }

  notice(text: string) {
    return this.page.getByRole('alert').getByText(text, { exact: true });
  }

  /** The shop's orders of this shopper: state and total in cents. */
  async orders(): Promise<(readonly [state: unknown, total: unknown])[]> {
    const rows = await this.#in.shop.backend.query(
      `select o.state, o.total_minor::int as total from public.orders o
       join auth.users u on u.id = o.user_id where u.email = $1 order by o.created_at`,
      [this.email],
    );
    return rows.map((row) => [row['state'], row['total']]);
  }

  /** What is in the cart at the shop: how much of each stock code. */
  async cart(): Promise<Record<string, number>> {
    const rows = await this.#in.shop.backend.query(
      `select p."SKC" as skc, c.quantity from public.cart_items c
       join public.products p on p.id = c.product_id
       join auth.users u on u.id = c.user_id where u.email = $1`,
      [this.email],
    );
    return Object.fromEntries(rows.map((row) => [row['skc'], row['quantity']]));
  }
}
