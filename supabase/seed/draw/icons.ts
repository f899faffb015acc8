/**
 * Writes `public/icons`: `node supabase/seed/draw/icons.ts`. Only when the mark changes, for it
 * needs a Chromium: playwright's own, or the one that `CHROMIUM_PATH` names.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { iconSvg } from './icon.ts';

const SIZES = {
  'icon-192.png': 192,
  'icon-512.png': 512,
  'maskable-512.png': 512,
  'apple-touch-icon.png': 180,
} as const;

const folder = new URL('../../../public/icons/', import.meta.url);
const executablePath = process.env['CHROMIUM_PATH'];

await mkdir(folder, { recursive: true });
await writeFile(new URL('icon.svg', folder), iconSvg());

const browser = await chromium.launch({
  args: ['--no-sandbox', '--disable-gpu'],
  ...(executablePath === undefined ? {} : { executablePath }),
});
for (const [name, size] of Object.entries(SIZES)) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(
    `<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${iconSvg()}`,
  );
  await writeFile(new URL(name, folder), await page.screenshot());
  await page.close();
}
await browser.close();
