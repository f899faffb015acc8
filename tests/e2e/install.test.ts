/** Whether browsers can install the shop. */
import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { launchProfile, newProfileFolder, waitForWorker } from '../browser/browser.ts';
import { numbered } from '../supabase/stock.ts';
import { line, visitBeforeEach } from './fixture.ts';

visitBeforeEach({ products: numbered(20) });

/** The web app manifest, as the browser reads it. */
interface Manifest {
  readonly icons: readonly { src: string; sizes: string }[];
  readonly screenshots: Manifest['icons'];
  readonly shortcuts: readonly { icons: Manifest['icons'] }[];
}

/** The manifest of this page. */
async function manifestOf(context: BrowserContext, page: Page): Promise<Manifest> {
  const devtools = await context.newCDPSession(page);
  const { data, errors } = await devtools.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  return JSON.parse(data ?? 'null') as Manifest;
}

/** The width and height of a picture's file, as in `360x780`. */
function sizeOf(page: Page, src: string): Promise<string> {
  return page.evaluate(async (url) => {
    const image = await createImageBitmap(await (await fetch(url)).blob());
    return `${image.width}x${image.height}`;
  }, src);
}

test('the browser can install the shop, and the manifest describes the icons and pictures correctly', async () => {
  // Browsers offer no installation in a private window, which the other tests use.
  const context = await launchProfile(newProfileFolder());
  const page = await context.newPage();
  await page.goto(line.url);
  await page.getByText('20 products', { exact: true }).waitFor();
  await waitForWorker(page);
  const devtools = await context.newCDPSession(page);
  expect(await devtools.send('Page.getInstallabilityErrors')).toEqual({ installabilityErrors: [] });

  const manifest = await manifestOf(context, page);
  const shortcutIcons = manifest.shortcuts.flatMap(({ icons }) => icons);
  for (const { src, sizes } of [...manifest.icons, ...manifest.screenshots, ...shortcutIcons]) {
    expect(await sizeOf(page, src), src).toBe(sizes);
  }
  // Only the dialog that installs the shop shows screenshots, so the worker does not cache them.
  for (const { src } of manifest.screenshots) {
    const { length } = await (await fetch(line.url + src)).bytes();
    expect(length, src).toBeLessThan(60_000);
    expect(await page.evaluate(async (url) => (await caches.match(url)) ?? null, src)).toBe(null);
  }
  await context.close();
});
