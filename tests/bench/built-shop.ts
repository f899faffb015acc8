/** The built shop as the benches open it in a browser, whose CPU they can slow down to that of a cheap phone. */
import type { Page } from 'playwright-core';
import { buildSite } from '../build-once.ts';
import { openTestShop, temporaryFolder, type TestShop } from '../supabase/shop.ts';

/** An empty shop with a build of its own. Disposing of the shop closes it and removes the build. */
export interface BuiltShop extends TestShop {
  readonly siteFolder: string;
}

export async function openBuiltShop(): Promise<BuiltShop> {
  const folder = await temporaryFolder();
  await buildSite(folder.path);
  const shop = await openTestShop({ siteFolder: folder.path });
  return {
    ...shop,
    siteFolder: folder.path,
    async [Symbol.asyncDispose]() {
      await shop.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Waits until the page says that the catalogue has `count` products. Loading 100,000 takes minutes. */
export async function waitForProducts(page: Page, count: number): Promise<void> {
  const words = `${count.toLocaleString('en-US')} products`;
  await page.getByText(words, { exact: true }).waitFor({ timeout: 300_000 });
}

/** How much slower a cheap phone is than a developer's machine. */
export const CPU_SLOWDOWN = 4;

/** Slows the page's CPU down to that of a cheap phone. */
export async function slowDownCpu(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
}
