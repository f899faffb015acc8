import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { logIn } from './log-in.ts';
import { announcementsOf } from './observe.ts';
import type { PayingShop } from './paying-shop.ts';
import { cartOf, favouritesOf, ordersOf } from './server-rows.ts';

/** The password of every shopper and of staff. */
export const PASSWORD = 'loom-and-thread';
/** The heading of the page after a payment. */
export const SUCCESS = 'Payment Successful! Thank you for your order.';

/** A shop, and the line over which a shopper reaches it. */
type ReachableShop = Pick<PayingShop, 'shop' | 'line'>;

/** Makes emails unique. */
let shopperCount = 0;

/** A shopper with an account: what they do in one page, and what the server stores of them. */
export class Shopper {
  readonly email: string;
  readonly page: Page;
  readonly #payingShop: ReachableShop;

  private constructor(payingShop: ReachableShop, page: Page, email: string) {
    this.#payingShop = payingShop;
    this.page = page;
    this.email = email;
  }

  /** A new shopper with an account and an empty page. */
  static async register(payingShop: ReachableShop, context: BrowserContext): Promise<Shopper> {
    shopperCount += 1;
    const email = `shopper-${shopperCount}@weft.test`;
    await payingShop.shop.backend.addAccount({ email, password: PASSWORD });
    return new Shopper(payingShop, await context.newPage(), email);
  }

  /** This shopper, or the one with the given email, in a new page of a context. */
  async inNewPage(context: BrowserContext, email = this.email): Promise<Shopper> {
    return new Shopper(this.#payingShop, await context.newPage(), email);
  }

  async goto(path: string): Promise<void> {
    await this.page.goto(this.#payingShop.line.url + path);
  }

  /** Opens the catalogue and waits until it says that it shows this number of products. */
  async openCatalogue(products: number): Promise<void> {
    await this.goto('/');
    await this.waitForProducts(products);
  }

  /** Waits until the catalogue says that it shows `count` products. */
  async waitForProducts(count: number): Promise<void> {
    const words = `${count.toLocaleString('en-US')} product${count === 1 ? '' : 's'}`;
    await this.page.getByText(words, { exact: true }).waitFor();
  }

  /** Cuts the page's network and, for the service worker, the line to the shop. */
  async goOffline(): Promise<void> {
    this.#payingShop.line.down();
    await this.page.context().setOffline(true);
  }

  async goOnline(): Promise<void> {
    this.#payingShop.line.up();
    await this.page.context().setOffline(false);
  }

  /** Dispatches the browser's event "online", after which the page polls the shop at once. */
  async announceOnline(): Promise<void> {
    await this.page.evaluate(() => window.dispatchEvent(new Event('online')));
  }

  /** Logs in on the login page, which leads to the catalogue. */
  async logIn(): Promise<void> {
    await logIn(this.page, this.#payingShop.line.url, this.email, PASSWORD);
  }

  /** Types the password into a form in which the shop has filled in the email, and submits it. */
  async typePassword(): Promise<void> {
    await this.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await this.page.keyboard.press('Enter');
  }

  /** Types email and password into the form of this page, and submits it. */
  async typeCredentials(): Promise<void> {
    await this.page.getByLabel('Email').fill(this.email);
    await this.typePassword();
  }

  /** Logs out, and confirms it if the shop asks because changes are not saved. */
  async logOut(): Promise<void> {
    const banner = this.page.getByRole('banner');
    await banner.locator('button[aria-expanded]').click();
    await this.page.getByRole('button', { name: 'Logout' }).click();
    const dialog = this.page.getByRole('dialog');
    const login = banner.getByRole('link', { name: 'Login' });
    await login.or(dialog).first().waitFor();
    if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Log out' }).click();
    await login.waitFor();
    // The header forgets the shopper before the device does. A page that is left in between is signed in again.
    await this.page.getByText('You’re logged out.').waitFor();
  }

  get cartLink() {
    return this.page.getByRole('banner').getByRole('link', { name: /^Cart/ });
  }

  /** How many pieces the header says are in the cart. */
  async cartCount(): Promise<number> {
    return Number(/\d+/.exec((await this.cartLink.textContent()) ?? '')?.[0] ?? 0);
  }

  /** Waits until the header says that `count` pieces are in the cart. */
  async waitForCartCount(count: number): Promise<void> {
    await expect.poll(() => this.cartCount()).toBe(count);
  }

  /** The button of a product's card that adds it to the cart. */
  addButton(name: string) {
    return this.page.getByRole('button', { name: `Add to Cart: ${name}`, exact: true });
  }

  /** The button of a product's card that makes it a favourite. */
  heart(name: string) {
    return this.page.getByRole('button', { name: `Favourite: ${name}`, exact: true });
  }

  /** Puts one of each product into the cart. */
  async add(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      const count = await this.cartCount();
      await this.addButton(name).click();
      await this.waitForCartCount(count + 1);
    }
  }

  /** Types an address into the checkout. */
  async fillAddress(): Promise<void> {
    await this.page.getByLabel('Full name').fill('Ada Weaver');
    await this.page.getByLabel('Address', { exact: true }).fill('1 Mill Lane');
    await this.page.getByLabel('City').fill('Chicago');
    await this.page.getByLabel('State').fill('il');
    await this.page.getByLabel('ZIP code').fill('60614');
  }

  /** Opens the checkout and types the address. */
  async openCheckout(): Promise<void> {
    await this.goto('/checkout');
    await this.fillAddress();
  }

  /** Logs in, puts these products (a shirt by default) into the cart, opens the checkout and types the address. */
  async prepareToPay(...names: readonly string[]): Promise<void> {
    await this.logIn();
    await this.add(...(names.length > 0 ? names : ['Linen shirt, size M']));
    await this.openCheckout();
  }

  /** Prepares to pay for a shirt, and chooses PayPal. */
  async prepareToPayWithPayPal(): Promise<void> {
    await this.prepareToPay();
    await this.choosePayPal();
  }

  /** The button of the checkout that begins the payment. */
  get payButton() {
    return this.page.getByRole('button', { name: /^Pay \$/ });
  }

  async choosePayPal(): Promise<void> {
    await this.page.getByLabel('Pay with PayPal').check();
    await this.page.getByRole('button', { name: /^Pay \$.* with PayPal$/ }).waitFor();
  }

  /** A button of the payment provider's page. */
  paymentButton(name: string) {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Goes from the checkout to the payment page. */
  async goToPayment(): Promise<void> {
    await this.payButton.click();
    await this.paymentButton('Pay').waitFor();
  }

  /** Pays on the payment page and comes back to the shop. */
  async completePayment(): Promise<void> {
    await this.paymentButton('Pay').click();
    await this.heading(SUCCESS).waitFor();
  }

  /** Pays with the way to pay that is chosen at the checkout. */
  async pay(): Promise<void> {
    await this.payButton.click();
    await this.completePayment();
  }

  /** Pays in a way that the bank confirms days later. Returns the id of the payment session. */
  async payLater(): Promise<string> {
    await this.payButton.click();
    await this.paymentButton('Pay later (the bank takes days)').click();
    await this.heading('Your Payment Is Being Confirmed').waitFor();
    return new URL(this.page.url()).searchParams.get('session_id') ?? '';
  }

  heading(name: string) {
    return this.page.getByRole('heading', { level: 1, name });
  }

  /** Waits until a page of this browser has announced a text, which may have gone since. */
  async waitForNotice(text: string): Promise<void> {
    const texts = announcementsOf(this.page);
    await expect
      .poll(() => texts.some((announced) => announced.includes(text)), { message: text })
      .toBe(true);
  }

  /** The server's orders of this shopper: state and total in cents. */
  async orders(): Promise<(readonly [state: unknown, total: unknown])[]> {
    const rows = await ordersOf(this.#backend, this.email);
    return rows.map((row) => [row['state'], row['total']]);
  }

  /** Expects the server to have these orders of this shopper, the oldest first. */
  async expectOrders(...orders: readonly (readonly [state: string, total: number])[]) {
    expect(await this.orders()).toEqual(orders);
  }

  /** The server's cart of this shopper: quantities by stock code. */
  cart(): Promise<Record<string, number>> {
    return cartOf(this.#backend, this.email);
  }

  /** Waits until the server stores this cart of the shopper. */
  async waitForCart(cart: Readonly<Record<string, number>>): Promise<void> {
    await expect.poll(() => this.cart()).toEqual(cart);
  }

  /** The server's favourites of this shopper, as stock codes. */
  favourites(): Promise<unknown[]> {
    return favouritesOf(this.#backend, this.email);
  }

  get #backend() {
    return this.#payingShop.shop.backend;
  }
}

/** Makes an account of the shop's staff, and signs in with it. */
export async function logInAsStaff(page: Page, { shop, line }: ReachableShop): Promise<void> {
  const email = `staff-${crypto.randomUUID()}@weft.test`;
  await shop.backend.addAccount({ email, password: PASSWORD, appMetadata: { role: 'staff' } });
  await logIn(page, line.url, email, PASSWORD);
}
