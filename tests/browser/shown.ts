/** What a page shows, and where. Lengths are in CSS pixels. */
import type { Locator, Page } from 'playwright-core';

/** The words of an element, with one space between them however they are laid out. */
export async function wordsOf(element: Locator): Promise<string> {
  return (await element.innerText()).replace(/\s+/g, ' ');
}

/** Where an element is in the window. @throws when it is not on screen */
export async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error('the element is not on screen');
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

/** How wide the content of the page is: wider than the window if something does not fit. */
export const contentWidth = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth);

/** The sum of the page's layout shifts since its load, without unit; 0 when nothing has moved. */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          // All entries are of the type that is observed.
          const shifts = list.getEntries() as (PerformanceEntry & { readonly value: number })[];
          for (const { value } of shifts) sum += value;
        }).observe({ type: 'layout-shift', buffered: true });
        // Earlier shifts are reported after this task.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      }),
  );
}

export const isFocused = (element: Locator) =>
  element.evaluate((node) => node === document.activeElement);

/** Waits until the page has drawn two more frames, and with them what its scripts have changed so far. */
export const nextFrames = (page: Page) =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
