/** `npm run icons`: draws the icons of the installed shop from `public/icons/icon.svg`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchBrowser } from './browser.ts';

const FOLDER = join(import.meta.dirname, '../../public/icons');
/** Names and sides, in pixels. Systems cut the maskable icon to a circle of 80 % of its side. */
const ICONS = [
  ['apple-touch-icon', 180],
  ['icon-192', 192],
  ['icon-512', 512],
  ['maskable-512', 512],
] as const;

const source = `data:image/svg+xml;base64,${readFileSync(join(FOLDER, 'icon.svg')).toString('base64')}`;
const browser = await launchBrowser();
const page = await browser.newPage();
for (const [name, side] of ICONS) {
  await page.setViewportSize({ width: side, height: side });
  await page.setContent(
    `<style>body{margin:0}img{display:block;width:100vw;height:100vh}</style><img src="${source}">`,
  );
  await page.locator('img').evaluate((image: HTMLImageElement) => image.decode());
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
}
await browser.close();
