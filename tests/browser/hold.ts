import type { BrowserContext } from 'playwright-core';

/** Keeps requests waiting until the returned function is called. */
export async function hold(context: BrowserContext, what: RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await context.route(what, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
