/**
 * Renews the pictures in `public/screenshots/`. Without `--published`, it also takes pictures of all screens,
 * light and dark, in four sizes, into `.cache/screenshots/`.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { loadSampleCatalogue } from '../../supabase/local/sample.ts';
import { buildSite } from '../build-once.ts';
import { temporaryFolder } from '../supabase/shop.ts';
import { launchBrowser, waitForWorker } from './browser.ts';
import { chooseFile } from './csv-file.ts';
import { hold } from './hold.ts';
import { openPayingShop } from './paying-shop.ts';
import { Shopper } from './shopper.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, '.cache/screenshots');
/** Windows of two phones, a tablet and a desktop computer. */
const SIZES = [
  { width: 360, height: 780 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
];
/** The stock code of the product in the pictures. */
const PICTURED = 'WF-1525-IND';
/** The screens of a visitor who is not logged in: the name of the picture, and the path. */
const SCREENS = [
  ['catalogue', '/'],
  ['filtered', '/?category=Women&q=linen'],
  ['nothing-found', '/?q=zebra'],
  ['product', `/product/${PICTURED}`],
  ['product-unknown', '/product/none'],
  ['login', '/login'],
  ['register', '/register'],
  ['forgot-password', '/forgot-password'],
  ['reset-password', '/reset-password'],
  ['cart-signed-out', '/cart'],
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

await using site = await temporaryFolder();
await buildSite(site.path);
const payingShop = await openPayingShop(site.path);
const { url } = payingShop.line;
await loadSampleCatalogue(payingShop.shop.backend);
// Hinting puts letters on whole pixels, which spaces words unevenly.
const browser = await launchBrowser(['--font-render-hinting=none']);
mkdirSync(FOLDER, { recursive: true });
mkdirSync(join(ROOT, 'public/screenshots'), { recursive: true });
await publish();
for (const viewport of process.argv.includes('--published') ? [] : SIZES) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport, colorScheme });
    const shopper = await Shopper.register(payingShop, context);
    const { page } = shopper;
    const savePicture = async (name: string) => {
      const file = `${name}-${viewport.width}-${colorScheme}.png`;
      await page.screenshot({ path: join(FOLDER, file) });
    };
    for (const [name, path] of SCREENS) {
      await page.goto(url + path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.locator('[data-arriving]').waitFor({ state: 'detached' });
      await page.waitForLoadState('networkidle');
      await savePicture(name);
    }
    await savePurchase(shopper, savePicture);
    await saveImport(page, savePicture);
    await context.close();
  }
}
await browser.close();
await payingShop.close();
console.log(`Screenshots are in ${FOLDER}`);

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
  await page.getByRole('region', { name: 'Label' }).waitFor();
  await save('product');
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

/** Logs in, puts three pieces into the cart and opens it. */
async function fillCart(shopper: Shopper): Promise<void> {
  await shopper.logIn();
  const add = shopper.page.getByRole('button', { name: /^Add to Cart/ });
  for (const i of [0, 1, 1]) await add.nth(i).click();
  await shopper.goto('/cart');
  await shopper.page.getByText('Saved', { exact: true }).waitFor();
}

/** Saves a picture of the present page under this name. */
type SavePicture = (name: string) => Promise<void>;

/** Saves pictures of a purchase, from a full cart to the orders; the checkout also offline. */
async function savePurchase(shopper: Shopper, savePicture: SavePicture): Promise<void> {
  const { page } = shopper;
  await fillCart(shopper);
  await savePicture('cart');
  await shopper.goto('/checkout');
  await shopper.heading('Checkout').waitFor();
  await savePicture('checkout');
  await shopper.payButton.click();
  await page.getByText('Enter the full name.').waitFor();
  await savePicture('checkout-faults');
  await waitForWorker(page);
  await page.context().setOffline(true);
  await page.getByText(/^Offline since/).waitFor();
  await savePicture('checkout-offline');
  await page.context().setOffline(false);
  await shopper.fillAddress();
  await shopper.pay();
  await savePicture('success');
  await shopper.goto('/orders');
  await page.getByText('Paid', { exact: true }).waitFor();
  await savePicture('orders');
  await shopper.goto('/cart');
  await page.waitForLoadState('networkidle');
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
  await page.getByRole('button', { name: /^Added/ }).waitFor();
  await savePicture('catalogue-signed-in');
}

/** Saves pictures of the import page in each of its states, from no file to an import that is undone. */
async function saveImport(page: Page, savePicture: SavePicture): Promise<void> {
  const save = (name: string) => savePicture(`import-${name}`);
  await page.goto(`${url}/admin/import`);
  await page.getByText('Any signed-in user may import.').waitFor();
  await save('start');

  // The sample with other prices, a row without a stock code, and a row with a faulty link and price.
  const sample = readFileSync(join(ROOT, 'supabase/seed/catalogue.csv'), 'utf8');
  const faulty = ',M,,Tee,,,,twelve,,\nWF-0001,L,ftp://old.example/tee.jpg,Tee,,,,18.005,,\n';
  await chooseFile(page, sample.replaceAll('.00,', '.50,') + faulty, 'autumn-delivery.csv');
  await page.getByText('What this file would do').waitFor();
  await save('checked');
  await page.getByRole('heading', { name: 'Problems' }).scrollIntoViewIfNeeded();
  await save('problems');

  const releaseParts = await hold(page.context(), /\/upload-csv/);
  await page.getByText('How the file is read').click();
  await page.getByLabel('All or nothing').check();
  await page.getByRole('button', { name: 'Start Import' }).click();
  await page.getByRole('dialog').waitFor();
  await save('question');
  await page.getByRole('button', { name: /^Import the other/ }).click();
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
}
