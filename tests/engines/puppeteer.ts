/** Chromium and Firefox, driven by puppeteer-core: DevTools protocol and WebDriver BiDi. */
import {
  type Browser,
  type ElementHandle,
  launch,
  type LaunchOptions,
  type Page,
} from 'puppeteer-core';
import { blockStorage } from '../browser/blocked-storage.ts';
import { BROWSER_ARGS, PHONE } from '../browser/browser.ts';
import { findChromium } from '../browser/find.ts';
import { WEAK_LINE } from '../browser/line-quality.ts';
import type { Engine, EngineBrowser, Tab, TabElement } from './engine.ts';
import { FIREFOX_PATH } from './install.ts';

/** How many times slower than this machine the weak phone is. */
const SLOW_CPU = 6;

export const CHROMIUM: Engine = {
  name: 'chromium',
  async open(profile, storage) {
    const options = { executablePath: findChromium(), args: BROWSER_ARGS };
    // Without a window Chromium does not read the setting that blocks cookies.
    return open(profile, options, storage === 'blocked' ? blockStorage : null);
  },
};

/** Chromium as a cheap phone at the edge of its cell runs it. */
export const WEAK_PHONE: Engine = {
  name: 'weak phone',
  line: WEAK_LINE,
  async open(profile) {
    const options = { executablePath: findChromium(), args: BROWSER_ARGS };
    return open(profile, options, null, SLOW_CPU);
  },
};

export const FIREFOX: Engine = {
  name: 'firefox',
  open: (profile, storage) =>
    open(profile, {
      browser: 'firefox',
      executablePath: FIREFOX_PATH,
      // The setting "All cookies (will cause websites to break)".
      extraPrefsFirefox: storage === 'blocked' ? { 'network.cookie.cookieBehavior': 2 } : {},
    }),
};

/**
 * @param beforeLoad what each page runs before its own scripts; null for nothing
 * @param slowdown how many times longer each page's scripts take
 */
async function open(
  userDataDir: string,
  options: LaunchOptions,
  beforeLoad: (() => void) | null = null,
  slowdown = 1,
): Promise<EngineBrowser> {
  const browser: Browser = await launch({ ...options, userDataDir, defaultViewport: PHONE });
  return {
    async newTab() {
      const page = await browser.newPage();
      if (beforeLoad !== null) await page.evaluateOnNewDocument(beforeLoad);
      if (slowdown > 1) await page.emulateCPUThrottling(slowdown);
      return tabOf(page);
    },
    close: () => browser.close(),
  };
}

function tabOf(page: Page): Tab {
  return {
    async goto(url) {
      await page.goto(url, { waitUntil: 'domcontentloaded' });
    },
    evaluate: (expression) => page.evaluate(expression) as Promise<never>, // as the caller says
    async element(expression) {
      const handle = await page.evaluateHandle(expression);
      const element = handle.asElement();
      return element && tabElementOf(element as ElementHandle);
    },
    pressEnter: () => page.keyboard.press('Enter'),
  };
}

function tabElementOf(element: ElementHandle): TabElement {
  return {
    click: () => element.click(),
    type: (text) => element.type(text),
    chooseFile: (path) => (element as ElementHandle<HTMLInputElement>).uploadFile(path),
  };
}
