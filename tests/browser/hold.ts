import type { BrowserContext } from 'playwright-core';

/** Holds requests to matching addresses back until the returned function is called. */
export async function hold(context: BrowserContext, url: RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await context.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
