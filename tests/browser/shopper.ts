import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { logIn } from './log-in.ts';
import type { PayingShop } from './paying-shop.ts';

export const PASSWORD = 'loom-and-thread';
export const SUCCESS = 'Payment Successful! Thank you for your order.';

/** Types an address into the checkout. */
export async function fillAddress(page: Page): Promise<void> {
  await page.getByLabel('Full name').fill('Ada Weaver');
  await page.getByLabel('Address', { exact: true }).fill('1 Mill Lane');
  await page.getByLabel('City').fill('Chicago');
  await page.getByLabel('State').fill('il');
  await page.getByLabel('ZIP code').fill('60614');
}

let shoppers = 0;

/** A shopper with an account: what they do in one page, and what the server stores of them. */
export class Shopper {
  readonly email: string;
  readonly page: Page;
  readonly #home: PayingShop;

  private constructor(home: PayingShop, page: Page, email: string) {
    this.#home = home;
    this.page = page;
    this.email = email;
  }

  /** A new shopper with an account and an empty page. */
  static async register(home: PayingShop, context: BrowserContext): Promise<Shopper> {
    shoppers += 1;
    const email = `shopper-${shoppers}@weft.test`;
    await home.shop.backend.addAccount({ email, password: PASSWORD });
    return new Shopper(home, await context.newPage(), email);
  }

  /** The same shopper with another page, or on another device. */
  async inNewPage(context: BrowserContext): Promise<Shopper> {
    return new Shopper(this.#home, await context.newPage(), this.email);
  }

  async goto(path: string): Promise<void> {
    await this.page.goto(this.#home.line.url + path);
  }

  /** Opens the catalogue until it shows so many products. */
  async openCatalogue(products: number): Promise<void> {
    await this.goto('/');
    await this.seesProducts(products);
  }

  /** Waits until the catalogue says that it shows so many products. */
  async seesProducts(count: number): Promise<void> {
    const words = `${count.toLocaleString('en-US')} product${count === 1 ? '' : 's'}`;
    await this.page.getByText(words, { exact: true }).waitFor();
  }

  /** Takes the network from the device, and the way to the shop from its service worker. */
  async goOffline(): Promise<void> {
    this.#home.line.down();
    await this.page.context().setOffline(true);
  }

  async goOnline(): Promise<void> {
    this.#home.line.up();
    await this.page.context().setOffline(false);
  }

  /** The browser tells the page that it is online, upon which the page asks the shop at once. */
  async announceOnline(): Promise<void> {
    await this.page.evaluate(() => window.dispatchEvent(new Event('online')));
  }

  async logIn(): Promise<void> {
    await logIn(this.page, this.#home.line.url, this.email, PASSWORD);
  }

  /** Types the password into the form of this page, where the email is filled in by the shop. */
  async typePassword(): Promise<void> {
    await this.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await this.page.keyboard.press('Enter');
  }

  /** Types email and password into the form of this page. */
  async typeCredentials(): Promise<void> {
    await this.page.getByLabel('Email').fill(this.email);
    await this.typePassword();
  }

  /** Logs out, also when the shop asks first because changes are not saved. */
  async logOut(): Promise<void> {
    const banner = this.page.getByRole('banner');
    await banner.getByRole('button').click();
    await this.page.getByRole('button', { name: 'Logout' }).click();
    const dialog = this.page.getByRole('dialog');
    const login = banner.getByRole('link', { name: 'Login' });
    await login.or(dialog).first().waitFor();
    if (await dialog.isVisible()) await dialog.getByRole('button', { name: /Log ?out/i }).click();
    await login.waitFor();
  }

  get cartLink() {
    return this.page.getByRole('banner').getByRole('link', { name: /^Cart/ });
  }

  /** How many pieces the header says are in the cart. */
  async count(): Promise<number> {
    return Number(/\d+/.exec((await this.cartLink.textContent()) ?? '')?.[0] ?? 0);
  }

  /** Waits until the header says that so many pieces are in the cart. */
  async seesInCart(count: number): Promise<void> {
    await expect.poll(() => this.count()).toBe(count);
  }

  addButton(name: string) {
    return this.page.getByRole('button', { name: `Add to Cart: ${name}`, exact: true });
  }

  heart(name: string) {
    return this.page.getByRole('button', { name: `Favourite: ${name}`, exact: true });
  }

  /** Puts one of each product into the cart. */
  async add(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      const count = await this.count();
      await this.addButton(name).click();
      await this.seesInCart(count + 1);
    }
  }

  async fillAddress(): Promise<void> {
    await fillAddress(this.page);
  }

  /** Logs in, puts these products into the cart, goes to the checkout and types the address. */
  async readyToPay(...names: readonly string[]): Promise<void> {
    await this.logIn();
    await this.add(...(names.length > 0 ? names : ['Linen shirt, size M']));
    await this.goto('/checkout');
    await this.fillAddress();
  }

  async readyToPayWithPayPal(): Promise<void> {
    await this.readyToPay();
    await this.choosePayPal();
  }

  get payButton() {
    return this.page.getByRole('button', { name: /^Pay \$/ });
  }

  async choosePayPal(): Promise<void> {
    await this.page.getByLabel('Pay with PayPal').check();
    await this.page.getByRole('button', { name: /^Pay \$.* with PayPal$/ }).waitFor();
  }

  /** A button of the payment page. */
  provider(name: string) {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Goes from the checkout to the payment page. */
  async goToPayment(): Promise<void> {
    await this.payButton.click();
    await this.provider('Pay').waitFor();
  }

  /** Pays on the payment page and comes back to the shop. */
  async completePayment(): Promise<void> {
    await this.provider('Pay').click();
    await this.heading(SUCCESS).waitFor();
  }

  /** Pays from the checkout in the way that is chosen there. */
  async pay(): Promise<void> {
    await this.payButton.click();
    await this.completePayment();
  }

  /** Pays by card in a way that takes the bank days. Returns the id of the payment session. */
  async payLater(): Promise<string> {
    await this.payButton.click();
    await this.provider('Pay later (the bank takes days)').click();
    await this.heading('Your Payment Is Being Confirmed').waitFor();
    return new URL(this.page.url()).searchParams.get('session_id') ?? '';
  }

  heading(name: string) {
    return this.page.getByRole('heading', { level: 1, name });
  }

  notice(text: string) {
    return this.page.getByRole('alert').getByText(text, { exact: true });
  }

  /** The server's orders of this shopper: state and total in cents. */
  async orders(): Promise<(readonly [state: unknown, total: unknown])[]> {
    const rows = await this.#query(
      `select o.state, o.total_minor::int as total from public.orders o
       join auth.users u on u.id = o.user_id where u.email = $1 order by o.created_at`,
    );
    return rows.map((row) => [row['state'], row['total']]);
  }

  /** Expects the server to have these orders of this shopper, the oldest first. */
  async expectOrders(...orders: readonly (readonly [state: string, total: number])[]) {
    expect(await this.orders()).toEqual(orders);
  }

  /** The server's cart of this shopper: how much of each stock code. */
  async cart(): Promise<Record<string, number>> {
    const rows = await this.#query(
      `select p."SKC" as skc, c.quantity from public.cart_items c
       join public.products p on p.id = c.product_id
       join auth.users u on u.id = c.user_id where u.email = $1`,
    );
    return Object.fromEntries(rows.map((row) => [row['skc'], row['quantity']]));
  }

  /** Waits until the server's cart of this shopper is this. */
  async cartBecomes(cart: Readonly<Record<string, number>>): Promise<void> {
    await expect.poll(() => this.cart()).toEqual(cart);
  }

  /** The server's favourites of this shopper, as stock codes. */
  async favourites(): Promise<unknown[]> {
    const rows = await this.#query(
      `select p."SKC" as skc from public.favorites f join public.products p on p.id = f.product_id
       join auth.users u on u.id = f.user_id where u.email = $1 order by 1`,
    );
    return rows.map((row) => row['skc']);
  }

  #query(sql: string) {
    return this.#home.shop.backend.query(sql, [this.email]);
  }
}
