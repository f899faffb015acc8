/**
 * Takes pictures of the screens, light and dark, at three widths, into `.cache/screenshots/`, and
 * renews the two that the README shows.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
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
const IN_README = new Map([
  ['catalogue-1440-light', 'public/screenshots/wide.jpg'],
  ['catalogue-360-light', 'public/screenshots/phone.jpg'],
]);

await using site = await temporaryFolder();
buildSite(site.path);
const shop = await openTestShop({ siteFolder: site.path });
await loadSampleCatalogue(shop.backend);
const browser = await launchBrowser();
mkdirSync(FOLDER, { recursive: true });
mkdirSync(join(ROOT, 'public/screenshots'), { recursive: true });
for (const viewport of SIZES) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport, colorScheme });
    const page = await context.newPage();
    for (const [name, path] of SCREENS) {
      await page.goto(shop.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      const shot = `${name}-${viewport.width}-${colorScheme}`;
      await page.screenshot({ path: join(FOLDER, `${shot}.png`) });
      const shown = IN_README.get(shot);
      if (shown) await page.screenshot({ path: join(ROOT, shown), type: 'jpeg', quality: 82 });
    }
    await context.close();
  }
}
await browser.close();
await shop.close();
console.log(`Screenshots are in ${FOLDER}`);
