import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type ConsoleMessage,
  type Page,
} from 'playwright-core';
import { findChromium } from './find.ts';

/**
 * As root, Chromium starts only without its sandbox. The other flags switch off the GPU, QUIC (no server of
 * the tests speaks it), and the requests that Chromium sends for itself.
 */
export const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Sizes of the window, in CSS pixels. */
export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };

/** A browser without a window and with an empty profile. */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    args: [...BROWSER_ARGS, ...args],
  });
}

/** A browser with a profile on disk: closing it and opening the folder again is a cold start. */
export async function launchProfile(
  folder: string,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, {
    executablePath: findChromium(),
    args: BROWSER_ARGS,
    viewport: PHONE,
    ...options,
  });
}

/** The path of a new temporary folder for `launchProfile`. */
export function newProfileFolder(): string {
  return mkdtempSync(join(tmpdir(), 'weft-profile-'));
}

/** From now on adds the errors that pages throw or print to `pageErrors`, and returns that list at once. */
export function collectPageErrors(
  pages: Page | BrowserContext,
  pageErrors: string[] = [],
): string[] {
  const collect = (error: Error) => pageErrors.push(error.message);
  if ('newPage' in pages) pages.on('weberror', (event) => collect(event.error()));
  else pages.on('pageerror', collect);
  pages.on('console', (message: ConsoleMessage) => {
    // The browser prints these when a request fails, which tests cause on purpose. The last one is about the
    // service worker's script.
    const isNetwork =
      /^(Failed to load resource|WebSocket connection to|An unknown error occurred when fetching the script)/.test(
        message.text(),
      );
    if (message.type() === 'error' && !isNetwork) pageErrors.push(message.text());
  });
  return pageErrors;
}

/** Waits until the service worker has everything it needs to open the shop alone. */
export async function waitForWorker(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}
