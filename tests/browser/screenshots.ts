/**
 * Takes pictures of the screens, light and dark, at three widths, into `.cache/screenshots/`, and
 * renews those in `public/screenshots/`; with `--published`, only these.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { loadSampleCatalogue } from '../../supabase/local/sample.ts';
import { buildSite } from '../build-once.ts';
import { openTestShop, temporaryFolder } from '../supabase/shop.ts';
import { launchBrowser } from './browser.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, '.cache/screenshots');
const SIZES = [
  { width: 360, height: 780 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
];
const SCREENS = [
  ['catalogue', '/'],
  ['filtered', '/?category=Women&q=linen'],
  ['empty', '/?q=zebra'],
  ['cart', '/cart'],
] as const;
/** In the manifest, which says their sizes, and where links to the shop are shown. */
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

const IMPORTER = { email: 'ada@weft.test', password: 'loom-and-thread' };

await using site = await temporaryFolder();
buildSite(site.path);
const shop = await openTestShop({ siteFolder: site.path });
await loadSampleCatalogue(shop.backend);
await shop.backend.addAccount(IMPORTER);
const browser = await launchBrowser();
mkdirSync(FOLDER, { recursive: true });
mkdirSync(join(ROOT, 'public/screenshots'), { recursive: true });
for (const { name, type, viewport, scale, quality } of PUBLISHED) {
  const context = await browser.newContext({ viewport, deviceScaleFactor: scale });
  const page = await context.newPage();
  await page.goto(shop.url);
  await page.getByRole('article').first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: join(ROOT, 'public/screenshots', name), type, quality });
  await context.close();
}
for (const viewport of process.argv.includes('--published') ? [] : SIZES) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport, colorScheme });
    const page = await context.newPage();
    for (const [name, path] of SCREENS) {
      await page.goto(shop.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      const shot = `${name}-${viewport.width}-${colorScheme}`;
      await page.screenshot({ path: join(FOLDER, `${shot}.png`) });
    }
    await takeImport(page, `${viewport.width}-${colorScheme}`);
    await context.close();
  }
}
await browser.close();
await shop.close();
console.log(`Screenshots are in ${FOLDER}`);

/** The import page: before a file, after its check, at a question, under way and at its end. */
async function takeImport(page: Page, ending: string): Promise<void> {
  const take = (name: string) =>
    page.screenshot({ path: join(FOLDER, `import-${name}-${ending}.png`) });
  await page.goto(`${shop.url}/login?next=/admin/import`);
  await page.getByLabel('Email').fill(IMPORTER.email);
  await page.getByLabel('Password', { exact: true }).fill(IMPORTER.password);
  await page.keyboard.press('Enter');
  await page.getByText('Any signed-in user may import.').waitFor();
  await take('start');

  const sample = readFileSync(join(ROOT, 'supabase/seed/catalogue.csv'), 'utf8');
  const faulty = ',M,,Tee,,,,twelve,,\nWF-0001,L,ftp://old.example/tee.jpg,Tee,,,,18.005,,\n';
  await page
    .locator('input[type=file]')
    .last()
    .setInputFiles({
      name: 'autumn-delivery.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(sample.replaceAll('.00,', '.50,') + faulty),
    });
  await page.getByText('What this file would do').waitFor();
  await take('checked');
  await page.getByRole('heading', { name: 'Problems' }).scrollIntoViewIfNeeded();
  await take('problems');

  let letGo: () => void = () => undefined;
  const gate = new Promise<void>((done) => (letGo = done));
  await page.route('**/upload-csv', async (route) => {
    await gate;
    await route.continue();
  });
  await page.getByLabel('All or nothing').check();
  await page.getByRole('button', { name: 'Start Import' }).click();
  await page.getByRole('dialog').waitFor();
  await take('question');
  await page.getByRole('button', { name: /^Import the other/ }).click();
  await page.getByText('Uploading to serverless function...').waitFor();
  await take('sending');
  letGo();
  await page.getByText('Import successful!').waitFor();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await take('end');
  await page.unroute('**/upload-csv');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo the import' }).click();
  await page.getByText('Undone:').waitFor();
  await take('undone');
}
