import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';

/** The address of the baseline page. */
export const CONTROL_PATH = '/control/';
const CARDS = 24;
/** As wide as Lighthouse's phone, and so high that the grid draws all the cards. */
const VIEWPORT = { width: 412, height: 6000 };

/**
 * Writes the baseline page into the built site: the shop's first screen as static markup, with 24
 * cards, the same stylesheet, font and pictures, and no script.
 */
export async function writeControlPage(browser: Browser, site: string, url: string): Promise<void> {
  const page = await browser.newPage({ viewport: VIEWPORT });
  await page.goto(url);
  await page.locator(`[aria-posinset="${CARDS}"]`).waitFor();
  await page.waitForLoadState('networkidle');
  const html = await page.evaluate(async (cards) => {
    const servedHtml = await (await fetch('/')).text();
    for (const link of document.querySelectorAll('link[rel=stylesheet]')) {
      if (!servedHtml.includes(link.getAttribute('href') ?? '')) link.remove(); // added by a script
    }
    for (const element of document.querySelectorAll(
      'script, noscript, template, link[rel=modulepreload], link[rel=canonical]',
    )) {
      element.remove();
    }
    for (const card of document.querySelectorAll('[aria-posinset]')) {
      if (Number(card.getAttribute('aria-posinset')) > cards) card.remove();
    }
    const grid = document.querySelector<HTMLElement>('[role=list]:has([data-row])');
    const last = [...document.querySelectorAll<HTMLElement>('[data-row]')].findLast(
      (row) => row.childElementCount > 0,
    );
    if (!grid || !last) throw new Error('the shop has no grid');
    grid.style.height = `${last.offsetHeight * (Number(last.dataset['row']) + 1)}px`;
    return `<!doctype html>${document.documentElement.outerHTML}`;
  }, CARDS);
  await page.close();
  mkdirSync(join(site, CONTROL_PATH), { recursive: true });
  writeFileSync(join(site, CONTROL_PATH, 'index.html'), html);
}
