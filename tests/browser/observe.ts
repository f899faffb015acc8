/** Records what a page shows and requests over time. */
import type { BrowserContext, Page } from 'playwright-core';

/**
 * Records the text of the first element with this selector each time a change of the page has changed the
 * text. An absent element has an empty text. Returns a function that reads the list.
 */
export async function recordTexts(page: Page, selector: string): Promise<() => Promise<string[]>> {
  await page.evaluate(record, selector);
  return () => recordedTexts(page);
}

/** Does the same from the start of every following page load; `recordedTexts` reads the list. */
export async function recordTextsFromStart(context: BrowserContext, selector: string) {
  await context.addInitScript(record, selector);
}

/** The texts recorded in this page so far. */
export function recordedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => (globalThis as unknown as { texts: string[] }).texts);
}

/** Runs in the page. */
function record(selector: string): void {
  const texts: string[] = [];
  Object.assign(globalThis, { texts });
  new MutationObserver(() => {
    const text = document.querySelector(selector)?.textContent ?? '';
    if (texts.at(-1) !== text) texts.push(text);
  }).observe(document, { subtree: true, childList: true, characterData: true });
}

/** Records the addresses of this page's requests from now on that match a pattern. */
export function recordRequests(page: Page, pattern: RegExp): string[] {
  const addresses: string[] = [];
  page.on('request', (request) => {
    if (pattern.test(request.url())) addresses.push(request.url());
  });
  return addresses;
}

const announcements = new WeakMap<BrowserContext, string[]>();

/** From now on writes down what the pages of this context announce: each text that comes into a live region. */
export async function collectAnnouncements(context: BrowserContext): Promise<void> {
  const texts: string[] = [];
  announcements.set(context, texts);
  await context.exposeBinding('writeAnnouncement', (_source, text: string) => texts.push(text));
  await context.addInitScript(writeAnnouncements);
}

/** What the pages of this page's context have announced, in order, also what has gone since. */
export function announcementsOf(page: Page): readonly string[] {
  return announcements.get(page.context()) ?? [];
}

/** Runs in the page. */
function writeAnnouncements(): void {
  const { writeAnnouncement } = globalThis as unknown as {
    writeAnnouncement(text: string): Promise<void>;
  };
  const last = new WeakMap<Element, string>();
  new MutationObserver(() => {
    for (const region of document.querySelectorAll('output, [role=alert], [role=status]')) {
      const text = region.textContent;
      if (text !== '' && last.get(region) !== text) void writeAnnouncement(text);
      last.set(region, text);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
}

/** Waits until React has taken over the page's markup. */
export async function waitForReact(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const root = document.getElementById('root');
    return root !== null && Object.keys(root).some((key) => key.startsWith('__reactContainer'));
  });
}
