/**
 * Takes pictures of all screens and states, on a phone and on a desktop computer, light and dark, into
 * `.cache/screenshots/`. With `--published` it renews the pictures in `public/screenshots/` instead. The shop
 * has the name and the texts of `.env`.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { loadSampleCatalogue } from '../../supabase/local/sample.ts';
import { takeVariables } from '../../supabase/local/script.ts';
import { buildSite } from '../build-once.ts';
import { temporaryFolder } from '../supabase/shop.ts';
import { blockStorage } from './blocked-storage.ts';
import { DESKTOP, launchBrowser, PHONE, waitForWorker } from './browser.ts';
import { chooseFile } from './csv-file.ts';
import { hold } from './hold.ts';
import { openPayingShop } from './paying-shop.ts';
import { logInAsStaff, Shopper } from './shopper.ts';
import { stopCatalogue } from './stopped-catalogue.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, '.cache/screenshots');
/** The stock code of the product in the pictures. */
const PICTURED = 'WF-1525-IND';
/** The screens of a visitor who is not logged in: the name of the picture, and the path. */
const SCREENS = [
  ['catalogue', '/'],
  ['filtered', '/?category=Women&q=linen'],
  ['nothing-found', '/?q=zebra'],
  ['nothing-found-filtered', '/?category=Men&size=none'],
  ['product', `/product/${PICTURED}`],
  ['product-unknown', '/product/none'],
  ['login', '/login'],
  ['register', '/register'],
  ['forgot-password', '/forgot-password'],
  ['reset-password', '/reset-password'],
  ['cart-signed-out', '/cart'],
  ['checkout-signed-out', '/checkout'],
  ['success-signed-out', '/checkout/success'],
  ['orders-signed-out', '/orders'],
  ['import-signed-out', '/admin/import'],
  ['not-found', '/nothing-here'],
] as const;
/** The pictures that the web app manifest, the README and previews of links use. */
const PUBLISHED = [
  {
    name: 'wide.webp',
    type: 'webp',
    viewport: { width: 1440, height: 900 },
    scale: 1,
    quality: 60,
  },
  {
    name: 'narrow.webp',
    type: 'webp',
    viewport: { width: 360, height: 780 },
    scale: 2,
    quality: 60,
  },
  { name: 'wide.jpg', type: 'jpeg', viewport: { width: 1440, height: 900 }, scale: 1, quality: 82 },
] as const;
/** The phone in the pictures of a purchase. */
const [, NARROW] = PUBLISHED;

// The shop's name and texts.
takeVariables(join(ROOT, '.env'));
await using site = await temporaryFolder();
await buildSite(site.path);
const payingShop = await openPayingShop(site.path);
const { url } = payingShop.line;
await loadSampleCatalogue(payingShop.shop.backend);
// Hinting puts letters on whole pixels, which spaces words unevenly.
const browser = await launchBrowser(['--font-render-hinting=none']);
mkdirSync(FOLDER, { recursive: true });
mkdirSync(join(ROOT, 'public/screenshots'), { recursive: true });
if (process.argv.includes('--published')) await publish();
else {
  for (const viewport of [PHONE, DESKTOP]) {
    for (const colorScheme of ['light', 'dark'] as const) await saveAll({ viewport, colorScheme });
  }
  console.log(`Screenshots are in ${FOLDER}`);
}
await browser.close();
await payingShop.close();

/** A window and its colour scheme. */
interface Look {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: 'light' | 'dark';
}

/** Saves a picture of a page, by default the shopper's own, under this name. */
type SavePicture = (name: string, of?: Page) => Promise<void>;

/** Takes all pictures of one look. */
async function saveAll(look: Look): Promise<void> {
  const context = await browser.newContext(look);
  const shopper = await Shopper.register(payingShop, context);
  const { page } = shopper;
  const savePicture: SavePicture = async (name, of = page) => {
    const file = `${name}-${look.viewport.width}-${look.colorScheme}.png`;
    await of.screenshot({ path: join(FOLDER, file) });
  };
  for (const [name, path] of SCREENS) {
    await page.goto(url + path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.locator('[data-arriving]').waitFor({ state: 'detached' });
    await page.getByText('Loading products...').waitFor({ state: 'detached' });
    await page.waitForLoadState('networkidle');
    await savePicture(name);
  }
  await saveTrouble(look, savePicture);
  await saveFinding(page, savePicture);
  await saveForms(shopper, savePicture);
  await savePurchase(shopper, savePicture);
  await saveImport(page, savePicture);
  await saveAccount(shopper, savePicture);
  await saveStaff(look, savePicture);
  await context.close();
}

/** Saves pictures of what staff see: the paid orders of this look and of those before, and the products. */
async function saveStaff(look: Look, savePicture: SavePicture): Promise<void> {
  const context = await browser.newContext(look);
  const page = await context.newPage();
  await logInAsStaff(page, payingShop);
  await page.goto(`${url}/admin/orders`);
  await page.getByRole('checkbox').first().waitFor();
  await savePicture('staff-orders', page);
  await page
    .getByRole('main')
    .getByRole('link', { name: /^\w{4}-\w{4}/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Mark as sent' }).waitFor();
  await savePicture('staff-order', page);
  await page.goto(`${url}/admin/products`);
  await page.getByRole('main').getByRole('listitem').first().waitFor();
  await savePicture('staff-products', page);
  await page.goto(`${url}/admin/products?product=${PICTURED}`);
  await page.getByLabel('Price in dollars').waitFor();
  await savePicture('staff-product', page);
  await context.close();
}

/** Saves pictures of a first visit that goes wrong, each in a browser of its own. */
async function saveTrouble(look: Look, savePicture: SavePicture): Promise<void> {
  const visit = async (name: string, text: string, prepare: (page: Page) => Promise<unknown>) => {
    const context = await browser.newContext({ ...look, serviceWorkers: 'block' });
    const page = await context.newPage();
    await prepare(page);
    await page.goto(url);
    await page.getByText(text).first().waitFor();
    await savePicture(name, page);
    await context.close();
  };
  await visit('loading', 'Loading products...', (page) => hold(page.context(), /\/catalogue\//));
  await visit('error', 'An unexpected error occurred while fetching products.', (page) =>
    page.route('**/catalogue/**', (route) => route.abort()),
  );
  await visit('storage-blocked', 'This browser can’t save anything', (page) =>
    page.addInitScript(blockStorage),
  );
  await visit('stopped', 'This page stopped working', (page) => page.addInitScript(stopCatalogue));
}

/** Saves pictures of filters, of all categories, and of the alert before a login. */
async function saveFinding(page: Page, savePicture: SavePicture): Promise<void> {
  await page.goto(url);
  await page.getByText(/^\d+ products$/).waitFor();
  const filters = page.getByRole('group', { name: 'Filter and sort' });
  await filters
    .getByRole('button', { name: /^(Filters|Size)/ })
    .first()
    .click();
  await page.getByRole('checkbox').first().waitFor();
  await savePicture('filters');
  await page.getByRole('checkbox').first().click();
  await savePicture('filters-chosen');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'All categories' }).click();
  await page.getByRole('button', { name: 'Fewer categories' }).waitFor();
  await savePicture('all-categories');
  await page.goto(url);
  await page
    .getByRole('button', { name: /^Add to Cart/ })
    .first()
    .click();
  await page.getByText('Please log in to add items to your cart.').waitFor();
  await savePicture('alert');
}

/** Saves pictures of the forms with faults, after a wrong password and after a registration. */
async function saveForms(shopper: Shopper, savePicture: SavePicture): Promise<void> {
  const { page } = shopper;
  const submit = page.locator('main button[type=submit]');
  for (const name of ['login', 'register', 'forgot-password']) {
    await shopper.goto(`/${name}`);
    await submit.click();
    await page.locator('[aria-invalid=true]').first().waitFor();
    await savePicture(`${name}-faults`);
  }
  await page.getByLabel('Email').fill(shopper.email);
  await submit.click();
  await submit.waitFor({ state: 'detached' });
  await savePicture('forgot-password-sent');
  await shopper.goto('/login');
  await page.getByLabel('Email').fill(shopper.email);
  await page.getByLabel('Password', { exact: true }).fill('a-wrong-password');
  await submit.click();
  await page.getByRole('heading', { name: 'Login Failed' }).waitFor();
  await savePicture('login-failed');
  await shopper.goto('/register');
  await page.getByLabel('Email').fill(`new-${shopper.email}`);
  await page.getByLabel('Password', { exact: true }).fill('loom-and-thread');
  await submit.click();
  await page.getByText('Registration successful!').waitFor();
  await savePicture('register-done');
}

/** Saves pictures of the account menu, its dialogs, and what a shopper sees who is offline. */
async function saveAccount(shopper: Shopper, savePicture: SavePicture): Promise<void> {
  const { page } = shopper;
  const menu = page.getByRole('banner').locator('button[aria-expanded]');
  await shopper.goto('/');
  await page.getByRole('article').first().waitFor();
  await menu.click();
  await page.getByRole('button', { name: 'Logout' }).waitFor();
  await savePicture('menu');
  for (const [picture, name] of [
    ['export-data', 'Export my data'],
    ['delete-account', 'Delete my account'],
  ] as const) {
    if (!(await page.getByRole('button', { name }).isVisible())) await menu.click();
    await page.getByRole('button', { name }).click();
    await page.getByRole('dialog', { name }).waitFor();
    await savePicture(picture);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name }).waitFor({ state: 'detached' });
  }
  await page.context().setOffline(true);
  for (const [name, path] of [
    ['catalogue', '/'],
    ['product', `/product/${PICTURED}`],
    ['cart', '/cart'],
    ['orders', '/orders'],
    ['import', '/admin/import'],
  ] as const) {
    await shopper.goto(path);
    await page.getByText(/^Offline since/).waitFor();
    await savePicture(`${name}-offline`);
  }
  await page.getByRole('banner').getByRole('link').first().click();
  await page
    .getByRole('button', { name: /^Add to Cart/ })
    .first()
    .click();
  await menu.click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('dialog').waitFor();
  await savePicture('logout-question');
  await page.context().setOffline(false);
}

/** Takes the pictures in PUBLISHED, and pictures of a purchase on a phone. */
async function publish(): Promise<void> {
  const pathOf = (name: string) => join(ROOT, 'public/screenshots', name);
  for (const { name, type, viewport, scale, quality } of PUBLISHED) {
    const context = await browser.newContext({ viewport, deviceScaleFactor: scale });
    const page = await context.newPage();
    await page.goto(url);
    await page.getByText(/^\d+ products$/).waitFor();
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: pathOf(name), type, quality });
    await context.close();
  }
  const { viewport, scale, quality } = NARROW;
  const context = await browser.newContext({ viewport, deviceScaleFactor: scale });
  const shopper = await Shopper.register(payingShop, context);
  const { page } = shopper;
  const save = async (name: string) => {
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: pathOf(`${name}.webp`), type: 'webp', quality });
  };
  await shopper.goto(`/product/${PICTURED}`);
  await page.getByRole('region', { name: 'Details' }).waitFor();
  await save('product');
  await shopper.logIn();
  await fillCart(shopper);
  await save('cart');
  await shopper.goto('/checkout');
  await shopper.heading('Checkout').waitFor();
  await save('checkout');
  await shopper.fillAddress();
  await shopper.pay();
  await save('receipt');
  await context.close();
}

/** Puts three pieces into the cart of a shopper who is logged in, and opens it. */
async function fillCart(shopper: Shopper): Promise<void> {
  await shopper.goto('/');
  const add = shopper.page.getByRole('button', { name: /^Add to Cart/ });
  for (const i of [0, 1, 1]) await add.nth(i).click();
  await shopper.goto('/cart');
  await shopper.page.getByText('Saved', { exact: true }).waitFor();
}

/** Saves pictures of a purchase, from a full cart to the orders; the checkout also offline. */
async function savePurchase(shopper: Shopper, savePicture: SavePicture): Promise<void> {
  const { page } = shopper;
  await shopper.logIn();
  for (const [name, path] of [
    ['cart-new', '/cart'],
    ['orders-none', '/orders'],
    ['favourites-none', '/?favourites='],
  ] as const) {
    await shopper.goto(path);
    await page.getByText(/^(Your cart is empty|You haven’t ordered|No favourites yet)/).waitFor();
    await savePicture(name);
  }
  await fillCart(shopper);
  await savePicture('cart');
  await shopper.goto('/checkout');
  await shopper.heading('Checkout').waitFor();
  await savePicture('checkout');
  await shopper.payButton.click();
  await page.getByText('Enter your full name.').waitFor();
  await savePicture('checkout-faults');
  await waitForWorker(page);
  await page.context().setOffline(true);
  await page.getByText(/^Offline since/).waitFor();
  await savePicture('checkout-offline');
  await page.context().setOffline(false);
  await shopper.fillAddress();
  await shopper.choosePayPal();
  await savePicture('checkout-paypal');
  await page.getByLabel('Pay with Card (Stripe)').check();
  await shopper.goToPayment();
  await page.getByRole('link', { name: 'Cancel and go back' }).click();
  await page.getByText('You came back without paying.').waitFor();
  await savePicture('checkout-cancelled');
  await shopper.pay();
  await savePicture('success');
  await shopper.goto('/orders');
  await page.getByText('Paid', { exact: true }).waitFor();
  await savePicture('orders');
  await page.locator('summary').first().click();
  await savePicture('order-open');
  await shopper.goto(`/checkout/success?order=${crypto.randomUUID()}`);
  await shopper.heading('Order Not Found').waitFor();
  await savePicture('order-not-found');
  await shopper.goto('/cart');
  await page.getByText('Your cart is empty').waitFor();
  await savePicture('cart-empty');
  await shopper.goto('/');
  await page
    .getByRole('button', { name: /^Favourite: / })
    .first()
    .click();
  await page
    .getByRole('button', { name: /^Add to Cart/ })
    .first()
    .click();
  await shopper.cartLink.filter({ hasText: '1' }).waitFor();
  await savePicture('catalogue-signed-in');
  await shopper.openCheckout();
  await shopper.payLater();
  await savePicture('being-confirmed');
  await shopper.goto('/orders');
  await page
    .getByRole('listitem', { name: /^Order placed/ })
    .nth(1)
    .waitFor();
  await savePicture('orders-two');
}

/** Saves pictures of the import page in each of its states, from a visitor to an import that is undone. */
async function saveImport(page: Page, savePicture: SavePicture): Promise<void> {
  const save = (name: string) => savePicture(`import-${name}`);
  await page.goto(`${url}/admin/import`);
  await page.getByText('Any signed-in user can import.').waitFor();
  await save('start');
  await page.getByText('What your file can contain').click();
  await save('rules');
  await chooseFile(page, 'SKC,Price,Retail price\nA,10,20\n');
  await page.getByText('Choose the column for').waitFor();
  await save('columns');
  await chooseFile(page, 'SKC,Colour\nTee,"red\n');
  await page.getByRole('heading', { name: 'We can’t read this file' }).waitFor();
  await save('unreadable');

  // The sample with other prices, a row without a stock code, and a row with a faulty link and price.
  const sample = readFileSync(join(ROOT, 'supabase/seed/catalogue.csv'), 'utf8');
  const faulty = ',M,,Tee,,,,twelve,,\nWF-0001,L,ftp://old.example/tee.jpg,Tee,,,,18.005,,\n';
  await chooseFile(page, sample.replaceAll('.00,', '.50,') + faulty, 'autumn-delivery.csv');
  await page.getByText('Preview').waitFor();
  await save('checked');
  await page.getByRole('heading', { name: 'Problems' }).scrollIntoViewIfNeeded();
  await save('problems');
  await page.getByRole('button', { name: 'Fix these rows' }).click();
  await page.getByRole('table', { name: 'Rejected rows' }).scrollIntoViewIfNeeded();
  await save('mending');

  const releaseParts = await hold(page.context(), /\/upload-csv/);
  await page.getByText('How the file is read').click();
  await page.getByLabel('All or nothing').check();
  await page.getByRole('button', { name: 'Start Import' }).click();
  await page.getByRole('dialog').waitFor();
  await save('question');
  await page.getByRole('button', { name: /^Import [0-9]+ rows$/ }).click();
  await page.getByText('Uploading to serverless function...').waitFor();
  await save('sending');
  releaseParts();
  await page.getByText('Import successful!').waitFor();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await save('end');
  await page.context().unroute(/\/upload-csv/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo the import' }).click();
  await page.getByText('Undone:').waitFor();
  await save('undone');
  await page
    .context()
    .route(/\/upload-csv/, (route) =>
      route.fulfill({ status: 400, json: { error: 'No loom today.' } }),
    );
  await chooseFile(page, [
    'SKC,Category 1,Retail Price,Images link',
    'WF-NEW,Tee,12.00,/pictures/none.svg',
  ]);
  await page.getByText('Preview').waitFor();
  await page.getByRole('button', { name: 'Start Import' }).click();
  await page.getByText(/^Import failed/).waitFor();
  await save('failed');
  await page.context().unroute(/\/upload-csv/);
}
