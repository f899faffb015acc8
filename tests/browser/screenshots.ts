/**
 * Takes a picture of each screen, on a phone and on a desktop computer, light and dark, into
 * `.cache/screenshots/`. With `--published` it renews the pictures in `public/screenshots/` instead. The shop
 * has the name and the texts of `.env`.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSampleCatalogue } from '../../supabase/local/sample.ts';
import { takeVariables } from '../../supabase/local/script.ts';
import { buildSite } from '../build-once.ts';
import { temporaryFolder } from '../supabase/shop.ts';
import { DESKTOP, launchBrowser, PHONE } from './browser.ts';
import { chooseFile } from './csv-file.ts';
import { openPayingShop } from './paying-shop.ts';
import { Shopper } from './shopper.ts';

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

/** Takes a picture of each screen: of a visitor, of a shopper who buys, and of an import. */
async function saveAll(look: Look): Promise<void> {
  const context = await browser.newContext(look);
  const shopper = await Shopper.register(payingShop, context);
  const { page } = shopper;
  const save = async (name: string) => {
    const file = `${name}-${look.viewport.width}-${look.colorScheme}.png`;
    await page.screenshot({ path: join(FOLDER, file) });
  };
  for (const [name, path] of SCREENS) {
    await page.goto(url + path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.locator('[data-arriving]').waitFor({ state: 'detached' });
    await page.getByText('Loading products...').waitFor({ state: 'detached' });
    await page.waitForLoadState('networkidle');
    await save(name);
  }
  await savePurchase(shopper, save);
  await shopper.goto('/orders');
  await page.locator('summary').first().click();
  await save('orders');
  await shopper.goto('/admin/import');
  const sample = readFileSync(join(ROOT, 'supabase/seed/catalogue.csv'), 'utf8');
  const faulty = ',M,,Tee,,,,twelve,,\nWF-0001,L,ftp://old.example/tee.jpg,Tee,,,,18.005,,\n';
  await chooseFile(page, sample.replaceAll('.00,', '.50,') + faulty);
  await page.getByText('Preview').waitFor();
  await save('import');
  await context.close();
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
  await savePurchase(shopper, save);
  await context.close();
}

/** Logs in, buys three pieces, and saves pictures of cart, checkout and receipt. */
async function savePurchase(shopper: Shopper, save: (name: string) => Promise<void>) {
  await shopper.logIn();
  const add = shopper.page.getByRole('button', { name: /^Add to Cart/ });
  for (const i of [0, 1, 1]) await add.nth(i).click();
  await shopper.goto('/cart');
  await shopper.page.getByText('Saved', { exact: true }).waitFor();
  await save('cart');
  await shopper.goto('/checkout');
  await shopper.heading('Checkout').waitFor();
  await save('checkout');
  await shopper.fillAddress();
  await shopper.pay();
  await save('receipt');
}
