/** Chromium and Firefox, driven by puppeteer-core: DevTools protocol and WebDriver BiDi. */
import {
  type Browser,
  type ElementHandle,
  launch,
  type LaunchOptions,
  type Page,
} from 'puppeteer-core';
import { BROWSER_ARGS } from '../browser/browser.ts';
import { findChromium } from '../browser/find.ts';
import type { Engine, EngineBrowser, Found, Tab } from './engine.ts';
import { FIREFOX_PATH } from './install.ts';

const VIEWPORT = { width: 390, height: 844 };

export const CHROMIUM = engine('chromium', async () => ({
  executablePath: await findChromium(),
  args: BROWSER_ARGS,
}));

export const FIREFOX = engine('firefox', async () => ({
  browser: 'firefox',
  executablePath: FIREFOX_PATH,
}));

/** @param options gives those that differ from the other engine's */
function engine(name: Engine['name'], options: () => Promise<LaunchOptions>): Engine {
  return {
    name,
    keepsProfiles: true,
    open: async (userDataDir) =>
      browserOf(await launch({ ...(await options()), userDataDir, defaultViewport: VIEWPORT })),
  };
}

function browserOf(browser: Browser): EngineBrowser {
  return {
    newTab: async () => tabOf(await browser.newPage()),
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
      return element && foundOf(element as ElementHandle);
    },
    press: (key) => page.keyboard.press(key),
    close: () => page.close(),
  };
}

function foundOf(element: ElementHandle): Found {
  return {
    click: () => element.click(),
    type: (text) => element.type(text),
    chooseFile: (path) => (element as ElementHandle<HTMLInputElement>).uploadFile(path),
  };
}
