/** What the benches do to a page of the built shop. */
import type { Page } from 'playwright-core';

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
